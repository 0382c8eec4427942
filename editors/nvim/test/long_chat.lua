-- The colours of a chat that grows long: Tree-sitter, whose parsing each key would wait for, gives way to the syntax file.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local check = t.check
local chat = require('ploke.chat')

local function parsed()
  return vim.treesitter.highlighter ~= nil and vim.treesitter.highlighter.active[t.chat()] ~= nil
end

--- Returns the syntax groups at the start of the last line with a text.
local function syntax_of(text)
  local row = vim.fn.search(text, 'bnw')
  return table.concat(vim.tbl_map(function(id) return vim.fn.synIDattr(id, 'name') end, vim.fn.synstack(row, 1)), ' ')
end

local function growing()
  vim.api.nvim_set_current_win(chat.open())
  local at_first = parsed()
  check('a short chat is parsed where Neovim can', at_first == (vim.fn.has('nvim-0.9') == 1), tostring(at_first))
  local section = chat.section('a question', nil, 'utf-8')
  for _ = 1, 400 do
    section:write('Some `code` and\n\n```lua\nlocal answer = 42\n```\n\n')
  end
  check('a long one is not', not parsed())
  check('and has its syntax', vim.bo.syntax == 'ploke', vim.bo.syntax)
  vim.cmd('redraw')
  check('its code blocks are coloured', syntax_of('^local answer'):find('lua'), syntax_of('^local answer'))
  chat.clear()
  check('an empty chat is parsed again', parsed() == at_first)
end

t.run { growing }
