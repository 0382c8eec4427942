-- New files. Neovim's text of an empty buffer is one line end, which must not be one line too many.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local check, eventually = t.check, t.eventually

local messages = {}
vim.notify = function(message)
  table.insert(messages, message)
end

local function told()
  local buffer = vim.fn.bufnr('todo.md')
  return vim.inspect({ messages, buffer > 0 and t.lines(buffer) })
end

local function created()
  vim.cmd('edit main.go')
  t.indexed()
  vim.cmd('Ploke ask create todo.md with "buy milk"')
  eventually('a file is proposed', function()
    return require('ploke.review').hunks()[1]
  end, told)
  vim.cmd('Ploke accept')
  t.settles('it is accepted', 'verified')
  check('the buffer has one line', vim.deep_equal(t.lines(vim.fn.bufnr('todo.md')), { 'buy milk' }), told())
  vim.cmd('silent wall')
  check('and the file, once it is saved', vim.deep_equal(vim.fn.readfile('todo.md', 'b'), { 'buy milk', '' }), told())
end

local function taken_back()
  vim.cmd('Ploke undo')
  t.settles('it is taken back', 'undone')
  check('the file is gone', vim.fn.filereadable('todo.md') == 0)
end

t.run { created, taken_back }
