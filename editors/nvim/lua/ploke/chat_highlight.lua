--- The colours of the chat. syntax/ploke.vim has those of its Markdown. Code blocks are coloured by Tree-sitter if Neovim
--- has a parser for their language, once they are complete; else by the syntax file of the language.
---
--- Tree-sitter does not parse the chat itself: with 200 messages, each text that streams in then took 70 ms in Neovim 0.12.4
--- and 85 ms in 0.10.4, in place of 0.1 ms.

local code_block = require('ploke.code_block')

local M = {}

local namespace = vim.api.nvim_create_namespace('ploke.chat.code')
local get_query = vim.treesitter and vim.treesitter.query and vim.treesitter.query.get -- since 0.9

local buffer
local known = {} -- languages of code blocks whose syntax is set up

vim.cmd([[
  highlight default link PlokeQuestion Title
  highlight default link PlokeNote Comment
  highlight default link PlokeStep Comment
  highlight default link PlokeThought Comment
  highlight default link PlokeCitation Directory
  highlight default link PlokeProposal WarningMsg
  highlight default link PlokePrompt Comment
  highlight default link PlokeMention Directory
  highlight default link PlokeProblem ErrorMsg
]])

-- Names that models give to languages, and their syntax files.
local aliases = {
  bash = 'sh', shell = 'sh', zsh = 'sh', console = 'sh', js = 'javascript', jsx = 'javascriptreact', ts = 'typescript', tsx = 'typescriptreact',
  py = 'python', rs = 'rust', rb = 'ruby', golang = 'go', yml = 'yaml', ['c++'] = 'cpp', ['c#'] = 'cs', kt = 'kotlin', viml = 'vim', hs = 'haskell',
}

--- @param bufnr number the chat's buffer
function M.start(bufnr)
  buffer, known = bufnr, {}
  vim.api.nvim_buf_set_option(bufnr, 'syntax', 'ploke')
end

--- @return string|nil the parser for the file type of a code block
local function parser_of(filetype)
  local language = get_query and vim.treesitter.language.get_lang(filetype) or filetype
  local found = get_query and #vim.api.nvim_get_runtime_file(('parser/%s.*'):format(language), false) > 0
  return found and get_query(language, 'highlights') and language or nil
end

--- Colours the code blocks of a language by its syntax file.
local function include(language, name)
  local cluster = 'ploke_' .. name:gsub('%W', '_')
  local fence = vim.fn.escape(language, [[/\.*$^~[]+]])
  vim.api.nvim_buf_call(buffer, function()
    local current = vim.b.current_syntax
    vim.b.current_syntax = nil
    vim.cmd(('syntax include @%s syntax/%s.vim'):format(cluster, name))
    vim.cmd('syntax case match | syntax sync clear | syntax sync minlines=300')
    vim.cmd(([[syntax region plokeBlock matchgroup=plokeFence start=/^\s*\z(```\+\|\~\~\~\+\)\s*\c%s\%%(\s.*\)\=$/ end=/^\s*\z1[`~]*\s*$/ keepend contains=@%s]])
      :format(fence, cluster))
    vim.b.current_syntax = current
  end)
end

--- Colours the code in rows by its parser.
local function parse(first, code, language)
  local text = table.concat(code, '\n')
  local root, query = vim.treesitter.get_string_parser(text, language):parse()[1]:root(), get_query(language, 'highlights')
  for id, node in query:iter_captures(root, text) do
    local name = query.captures[id]
    local row, col, end_row, end_col = node:range()
    if not name:find('^_') and end_row < #code then
      vim.api.nvim_buf_set_extmark(buffer, namespace, first + row, col, {
        end_row = first + end_row, end_col = end_col, hl_group = ('@%s.%s'):format(name, language), priority = 100,
      })
    end
  end
end

--- @return string|nil the file type of the code block that a line begins
local function filetype_of(line)
  local language = line:match('^%s*[`~][`~][`~]+%s*([%w_+#.-]+)')
  return language and (aliases[language:lower()] or language:lower()), language
end

--- Colours the code blocks that begin or end in rows.
--- @param first number
--- @param last number exclusive
--- @param top number the row with which the text around them begins
function M.rows(first, last, top)
  for row = first, last - 1 do
    local line = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1]
    local filetype, language = filetype_of(line)
    if filetype and not known[language] then
      known[language] = true
      if not parser_of(filetype) and #vim.api.nvim_get_runtime_file(('syntax/%s.vim'):format(filetype), false) > 0 then
        include(language, filetype)
      end
    end
    local fence = line:find('^%s*[`~][`~][`~]+%s*$') and code_block.fence(buffer, row, top)
    local parser = fence and fence < row and parser_of((filetype_of(vim.api.nvim_buf_get_lines(buffer, fence, fence + 1, false)[1])) or '')
    if parser then
      parse(fence + 1, vim.api.nvim_buf_get_lines(buffer, fence + 1, row, false), parser)
    end
  end
end

return M
