-- Reviews of files that are unlike others: line ends of DOS, no last line end, hunks in one line, links, files that are read again,
-- and a server that is killed.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/proposing_model.lua')
local screen = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/review_screen.lua')
local check, eventually = t.check, t.eventually
local review = require('ploke.review')

vim.o.columns = 200 -- so that no line is wrapped

local messages = {}
vim.notify = function(message)
  table.insert(messages, message)
end

local function splice(file, old, new)
  local text = table.concat(vim.fn.readfile(file, 'b'), '\n')
  local from, to = text:find(old, 1, true)
  return { mode = 'splice', file = file, start_byte = from - 1, end_byte = to, replacement = new, expected_file_hash = vim.fn.sha256(text) }
end

local function write(path, text)
  vim.fn.writefile(vim.split(text, '\n', { plain = true }), path, 'b')
end

write('dos.txt', 'one\r\ntwo\r\nthree\r\n')
write('open.txt', 'one\ntwo')
write('line.txt', 'one größe two 😀 three\nfour\n')
write('real.txt', 'one\ntwo\n')
write('conflict.txt', 'one\ntwo\nthree\n')
write('beside.txt', 'a\nb\nc\n')
vim.loop.fs_symlink(vim.fn.getcwd(), vim.fn.getcwd() .. '.link')

model.use {
  ['in dos'] = { model.replace('dos.txt', 'two', '2\nand a half') },
  ['at the end'] = { model.replace('open.txt', 'two', 'two\nthree') },
  ['in one line'] = { { 'apply_code_edit', { edits = { splice('line.txt', 'größe', 'Größe'), splice('line.txt', 'three', '3') } } } },
  ['in a link'] = { model.replace('real.txt', 'two', '2') },
  ['to conflict'] = { model.replace('conflict.txt', 'two', '2') },
  ['beside it'] = { model.replace('beside.txt', 'b', 'B') },
  ['one of two'] = { model.replace('conflict.txt', 'three', '3') },
  ['two of two'] = { model.replace('beside.txt', 'c', 'C') },
  ['once more'] = { model.replace('main.go', 'package main\n', 'package main // more\n') },
  ['the other'] = { model.replace('main.go', '"Ada"', '"Eve"') },
}

local function keys(typed)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(typed, true, true, true), 'xt', false)
end

local function told()
  return vim.inspect({ screen.lines(0), messages, vim.g.ploke_status, vim.api.nvim_buf_get_name(0) })
end

local function shows(expected)
  eventually('the screen shows ' .. table.concat(expected, ' | '), function()
    return vim.deep_equal(screen.lines(0), expected)
  end, told)
end

local function ask(file, question)
  vim.cmd('edit ' .. file)
  vim.cmd('Ploke ask change ' .. question)
end

local function accepts(lines)
  keys(']kgza')
  eventually('the text becomes ' .. table.concat(lines, ' | '), function()
    return vim.deep_equal(t.lines(0), lines) and #review.hunks() == 0
  end, told)
end

local function line_ends()
  vim.cmd('edit main.go')
  t.indexed()
  ask('dos.txt', 'in dos')
  shows { ' one', '-two', '+2', '+and a half', ' three' }
  keys(']kgzd')
  eventually('its diff opens', function() return vim.wo.diff end, told)
  check('without marks for line ends', vim.bo[vim.fn.bufnr('ploke://proposed/dos.txt')].fileformat == 'dos'
    and vim.deep_equal(t.lines(vim.fn.bufnr('ploke://proposed/dos.txt')), { 'one', '2', 'and a half', 'three' }))
  keys('do')
  eventually('it is accepted', function() return #review.hunks() == 0 end, told)
  check('with the line ends of the file', vim.deep_equal(t.lines(vim.fn.bufnr('dos.txt')), { 'one', '2', 'and a half', 'three' }) and vim.bo[vim.fn.bufnr('dos.txt')].fileformat == 'dos')
  ask('open.txt', 'at the end')
  shows { ' one', ' two', '+three' }
  accepts { 'one', 'two', 'three' }
end

local function one_line()
  ask('line.txt', 'in one line')
  shows { '-one größe two 😀 three', '+one Größe two 😀 three', '+one größe two 😀 3', ' four' }
  keys('gza')
  shows { '-one Größe two 😀 three', '+one Größe two 😀 3', ' four' }
  accepts { 'one Größe two 😀 3', 'four' }
end

local function a_link()
  vim.cmd('cd ' .. vim.fn.getcwd() .. '.link')
  ask('real.txt', 'in a link')
  shows { ' one', '-two', '+2' }
  accepts { 'one', '2' }
end

local function said(words)
  return vim.inspect(messages):find(words, 1, true)
end

--- Two proposals, of which the first one is in conflict with what was typed, and then two that fit.
local function conflicts()
  ask('conflict.txt', 'to conflict')
  shows { ' one', '-two', '+2', ' three' }
  vim.api.nvim_buf_set_lines(0, 1, 2, false, { 'zwei' })
  eventually('a hunk whose lines have changed is in conflict', function() return review.hunks()[1].hunk.conflict end, told)
  local function labels() return vim.inspect(screen.marks(vim.fn.bufnr('conflict.txt'))) end
  eventually('and says so', function() return labels():find('1/1 · in conflict', 1, true) end, labels)
  messages = {}
  keys(']kgza')
  eventually('it can\'t be accepted', function() return said('the hunk is in conflict with the file; :Ploke edit resolves it') end, told)
  vim.cmd('silent write')
  ask('beside.txt', 'beside it')
  eventually('another one waits', function() return #review.hunks() == 2 end, told)
  messages = {}
  vim.cmd('Ploke accept all')
  eventually('of all, those that fit are accepted', function() return vim.deep_equal(t.lines(vim.fn.bufnr('beside.txt')), { 'a', 'B', 'c' }) and #review.hunks() == 1 end, told)
  eventually('and the others are counted', function() return said('1 not accepted, in conflict with the file') end, told)
  vim.cmd('silent wall')
  vim.cmd('Ploke reject all')
  eventually('one in conflict can be rejected', function() return #review.hunks() == 0 end, told)
  vim.cmd('silent wall')
  ask('conflict.txt', 'one of two')
  eventually('one proposal waits', function() return #review.hunks() == 1 end, told)
  ask('beside.txt', 'two of two')
  eventually('and a second one', function() return #review.hunks() == 2 end, told)
  messages = {}
  vim.cmd('Ploke accept all')
  eventually('all of several proposals are accepted', function() return #review.hunks() == 0 end, told)
  check('in both files', vim.deep_equal(t.lines(vim.fn.bufnr('beside.txt')), { 'a', 'B', 'C' }) and vim.deep_equal(t.lines(vim.fn.bufnr('conflict.txt')), { 'one', 'zwei', '3' }), told())
  eventually('which is said', function() return said('all is decided') end, told)
  check('and nothing of conflicts', not said('conflict with'), told())
  vim.cmd('silent wall')
end

local function read_again()
  ask('main.go', 'once more')
  eventually('it is proposed', function() return screen.lines(0)[2] == '+package main // more' end, told)
  vim.cmd('edit!')
  eventually('it is shown after the file was read again', function() return screen.lines(0)[2] == '+package main // more' end, told)
  vim.cmd('bwipeout!')
  vim.cmd('Ploke next')
  eventually('the file is opened again', function() return screen.lines(0)[2] == '+package main // more' end, told)
  vim.cmd('Ploke ask change the other')
  eventually('two proposals are shown in one file', function() return #review.hunks() == 2 end, told)
  check('both', vim.tbl_contains(screen.lines(0), '+        fmt.Println(greet.Greeting("Eve"))'), told())
  vim.cmd('wincmd w')
  check('another window is the current one', vim.bo.filetype ~= 'go')
  vim.cmd('Ploke next')
  check('walking goes to the window of the file', vim.bo.filetype == 'go')
end

local function two_questions()
  local server, answers = require('ploke.client').running()[1], 0
  for _ = 1, 2 do
    review.refresh(server, function() answers = answers + 1 end)
  end
  eventually('a question while another one is answered is answered, too', function() return answers == 2 end)
end

local function an_answer_too_late()
  vim.cmd('buffer main.go')
  eventually('both are shown', function() return vim.tbl_contains(screen.lines(0), '-package main') end, told)
  local seen
  review.refresh(require('ploke.client').running()[1], function() seen = screen.lines(0) end)
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '// typed' })
  eventually('an answer comes about the text before', function() return seen end)
  check('hunks stay at their lines until the next answer', seen[2] == '-package main', vim.inspect(seen))
end

local function a_dead_server()
  vim.cmd('Ploke edit')
  eventually('the diff opens', function() return vim.wo.diff end, told)
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '// typed' })
  local bufnr = vim.api.nvim_get_current_buf()
  local server = require('ploke.client').running()[1]
  vim.lsp.stop_client(server.id, true)
  eventually('nothing is known without a server', function() return #review.hunks() == 0 end, told)
  messages = {}
  vim.cmd('write')
  check('what was typed is not taken for stored', vim.bo[bufnr].modified and #messages > 0, vim.inspect(messages))
  vim.cmd('tabclose')
  eventually('nothing is shown without a server', function() return #screen.marks(vim.fn.bufnr('main.go')) == 0 end, told)
  vim.cmd('Ploke status')
  eventually('it is shown again with the next one', function()
    return #screen.marks(vim.fn.bufnr('main.go')) > 0
  end, told)
  vim.cmd('sbuffer ' .. bufnr)
  check('the text is still there', t.lines(bufnr)[1] == '// typed')
  vim.cmd('write')
  check('and can be stored', not vim.bo.modified, vim.inspect(messages))
end

t.run { line_ends, one_line, a_link, conflicts, read_again, two_questions, an_answer_too_late, a_dead_server }
