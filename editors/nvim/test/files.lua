-- Reviews of files that are out of the ordinary: a change far below in a file that was not open, a created file among others, and line
-- ends that the editor changes.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/proposing_model.lua')
local check, eventually = t.check, t.eventually
local review = require('ploke.review')

local messages = {}
vim.notify = function(message)
  table.insert(messages, message)
end

local function keys(typed)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(typed, true, true, true), 'xt', false)
end

local function told()
  local names = vim.tbl_map(function(win)
    return { vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win)), vim.api.nvim_win_get_cursor(win) }
  end, vim.api.nvim_tabpage_list_wins(0))
  return vim.inspect({ messages, vim.g.ploke_status, names })
end

local function propose(question, count)
  vim.cmd('Ploke ask ' .. question)
  eventually(question .. ' is proposed', function() return #review.hunks() == count and t.idle() end, told)
  vim.cmd('wincmd p')
  messages = {}
end

local function far_below()
  vim.cmd('edit main.go')
  t.indexed()
  propose('change far below', 1)
  for _, opened in ipairs({ false, true }) do
    if opened then
      vim.cmd('edit long.txt')
      vim.cmd('normal! gg')
    end
    vim.cmd('Ploke diff')
    eventually('the diff opens', function() return vim.wo.diff end, told)
    check('the cursor is at the first hunk', vim.fn.line('.') == 242 and vim.api.nvim_get_current_line() == 'line 242', told())
    check('which is on the screen, and not folded', vim.fn.foldclosed('.') == -1 and vim.fn.line('w0') <= 242 and vim.fn.line('w$') >= 242, told())
    vim.cmd('tabclose')
  end
  vim.cmd('Ploke reject all')
  eventually('it is rejected', function() return #review.hunks() == 0 end, told)
end

local function a_created_file_among_others()
  propose('create among others', 3)
  vim.cmd('Ploke next')
  for number, name in ipairs({ 'main.go', 'made.txt' }) do
    eventually(name .. ' is shown', function() return vim.api.nvim_buf_get_name(0):find(name, 1, true) end, told)
    keys('gza')
    eventually('it is accepted, and what is next counted', function() return #review.hunks() == 3 - number end, told)
  end
  eventually('after the created file the next hunk is shown', function()
    return vim.fn.expand('%:t') == 'long.txt' and vim.fn.line('.') == 7 and vim.g.ploke_status == 'ploke 1/1'
  end, told)
  t.settles('the file is created', 'partial')
  check('as it was proposed', vim.deep_equal(t.lines(vim.fn.bufnr('made.txt')), { 'made' }), told())
  keys('gzr')
  eventually('all is decided', function() return #review.hunks() == 0 end, told)
end

--- Neovim has turned the line ends of the text when .editorconfig says so, and not those of the file.
local function turned_line_ends()
  vim.cmd('edit dos.txt')
  vim.bo.fileformat = 'unix'
  propose('change the line ends', 1)
  vim.cmd('edit dos.txt')
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  keys('gza')
  eventually('that the editor turns the line ends is said before anything is accepted', function()
    return messages[1] and messages[1]:find('dos.txt has CRLF line ends, and Neovim would write LF', 1, true)
  end, told)
  check('nothing is accepted', #review.hunks() == 1 and t.lines(0)[1] == 'one', told())
  vim.bo.fileformat = 'dos'
  keys('gza')
  t.settles('with the line ends of the file it is accepted', 'verified')
end

local lines = {}
for i = 1, 400 do
  lines[i] = 'line ' .. i
end
vim.fn.writefile(lines, 'long.txt')
vim.fn.writefile({ 'one\r', 'two\r' }, 'dos.txt')
model.use {
  ['change far below'] = { model.replace('long.txt', 'line 242\n', 'the line 242\n') },
  ['create among others'] = {
    model.replace('main.go', 'package main', 'package main // first'),
    { 'create_file', { file = 'made.txt', content = 'made\n' } },
    model.replace('long.txt', 'line 7\n', 'the line 7\n'),
  },
  ['change the line ends'] = { model.replace('dos.txt', 'one', 'ONE') },
}

--- Neovim 0.10 and newer are told which documents have an outline, so that other plugins do not ask ploke for those of code.
local function features_of_chat_documents()
  if vim.fn.has('nvim-0.10') == 0 then
    return
  end
  local function offered()
    return vim.tbl_filter(function(method)
      return #vim.lsp.get_clients({ name = 'ploke', bufnr = 0, method = 'textDocument/' .. method }) > 0
    end, { 'codeAction', 'completion', 'documentSymbol' })
  end
  vim.cmd('edit other.ploke.md')
  eventually('a chat document has completion and an outline', function() return #offered() == 3 end, function() return vim.inspect(offered()) end)
  check('completion is there by a key', vim.bo.omnifunc ~= '', vim.bo.omnifunc)
  vim.cmd('edit main.go')
  check('code has neither', vim.deep_equal(offered(), { 'codeAction' }), vim.inspect(offered()))
end

t.run { far_below, a_created_file_among_others, turned_line_ends, features_of_chat_documents }
