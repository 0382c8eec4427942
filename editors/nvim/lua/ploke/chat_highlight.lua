--- The colours of the chat. Its Markdown is parsed by Tree-sitter where Neovim has the parser, else by syntax/ploke.vim.
--- A code block in a language without a parser gets that language's syntax file.

local M = {}

local buffer
local parses -- whether Tree-sitter parses the chat
local known = {} -- languages of code blocks whose colours are set up

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
  highlight default PlokeCodeBlock cterm=NONE gui=NONE
]])

-- Names that models give to languages, and their syntax files.
local aliases = {
  bash = 'sh', shell = 'sh', zsh = 'sh', console = 'sh', js = 'javascript', jsx = 'javascriptreact', ts = 'typescript', tsx = 'typescriptreact',
  py = 'python', rs = 'rust', rb = 'ruby', golang = 'go', yml = 'yaml', ['c++'] = 'cpp', ['c#'] = 'cs', kt = 'kotlin', viml = 'vim', hs = 'haskell',
}

-- How many lines Tree-sitter parses. In a longer chat each key would wait for its parsing, which takes as long as the
-- chat is.
local limit = 1000

--- @param bufnr number the chat's buffer, which is empty
function M.start(bufnr)
  buffer, known = bufnr, {}
  local register = vim.treesitter and (vim.treesitter.language or {}).register -- since 0.9
  if register then
    register('markdown', 'ploke')
  end
  parses = register ~= nil and pcall(vim.treesitter.start, bufnr, 'markdown')
  if not parses then
    vim.api.nvim_buf_set_option(bufnr, 'syntax', 'ploke')
  end
end

--- Sets up a window of the chat. The Markdown queries colour all code in one colour, which would hide that of its syntax.
function M.show(win)
  if parses then
    vim.api.nvim_win_set_option(win, 'winhighlight', '@markup.raw.block.markdown:PlokeCodeBlock')
  end
end

local function has_parser(name)
  local language = parses and vim.treesitter.language.get_lang(name) or name
  return parses and #vim.api.nvim_get_runtime_file(('parser/%s.*'):format(language), false) > 0
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
    vim.cmd(([[syntax region plokeBlock matchgroup=plokeFence start=/^\s*\z(```\+\)\s*\c%s\%%(\s.*\)\=$/ end=/^\s*\z1`*\s*$/ keepend contains=@%s]])
      :format(fence, cluster))
    vim.b.current_syntax = current
  end)
end

--- Sets up the colours of the code blocks that begin in lines.
--- @param lines string[]
local function set_up(lines)
  for _, line in ipairs(lines) do
    local language = line:match('^%s*```+%s*([%w_+#.-]+)')
    if language and not known[language] then
      known[language] = true
      local name = aliases[language:lower()] or language:lower()
      if not has_parser(name) and #vim.api.nvim_get_runtime_file(('syntax/%s.vim'):format(name), false) > 0 then
        include(language, name)
      end
    end
  end
end

--- Sets up the colours of lines that are new.
--- @param lines string[]
function M.lines(lines)
  if parses and vim.api.nvim_buf_line_count(buffer) > limit then
    parses, known = false, {}
    vim.treesitter.stop(buffer)
    vim.api.nvim_buf_set_option(buffer, 'syntax', 'ploke')
    lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  end
  set_up(lines)
end

return M
