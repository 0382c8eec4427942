-- Proposals: the diff of one, deciding in it, accepting an edited proposal, conflicts, and the list of all changes.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local check, eventually, text, answer = t.check, t.eventually, t.text, t.answer

local messages = {}
vim.notify = function(message)
  table.insert(messages, message)
end

local function told()
  return t.chat_text() .. vim.inspect({ messages, vim.g.ploke_status, vim.api.nvim_get_current_line() })
end

local function keys(typed)
  vim.api.nvim_feedkeys(typed, 'xt', false)
end

--- Asks for a rename.
local function propose(from, to)
  local question = ('rename %s to %s'):format(from, to)
  vim.cmd('Ploke ask ' .. question)
  eventually(question .. ' is proposed', function()
    local one = require('ploke.review').hunks()[1]
    return answer(question):find('Proposal: [^\n]+ — waiting; ') and one and one.proposal.title == question
  end, told)
  return question
end

local function becomes(question, label)
  eventually('it is ' .. label, function()
    return answer(question):find('Proposal: [^\n]+ — ' .. label)
  end, told)
end

local function cursor_at(line)
  eventually('the cursor is at ' .. line, function()
    return vim.api.nvim_get_current_line():find(line, 1, true)
  end, told)
end

--- Returns the texts of the windows of the tab, from left to right.
local function sides()
  return vim.tbl_map(function(win)
    return table.concat(t.lines(vim.api.nvim_win_get_buf(win)), '\n')
  end, vim.api.nvim_tabpage_list_wins(0))
end

local function names()
  return vim.tbl_map(function(win)
    return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(win)), ':.')
  end, vim.api.nvim_tabpage_list_wins(0))
end

local function diff_opens(what)
  eventually(what, function()
    return vim.wo.diff
  end, told)
end

local function marks()
  local space = vim.api.nvim_get_namespaces()['ploke.review']
  return vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })
end

--- Opens what an answer cites from a proposed file.
local function cited(path)
  local proposal = require('ploke.review').hunks()[1].proposal.id
  local uri = vim.uri_from_fname(vim.fn.getcwd() .. '/' .. path):gsub('^file://', 'ploke-proposal:') .. '?x'
  local start = { line = 0, character = 0 }
  require('ploke.citation').open({ uri = uri, proposal = proposal, range = { start = start, ['end'] = start } }, 'utf-16')
  diff_opens('a cited file of a proposal opens as a diff')
  check('under a readable name', names()[2] == 'ploke://proposed/' .. path, vim.inspect(names()))
  vim.cmd('tabclose')
end

local function in_parts()
  vim.cmd('edit main.go')
  vim.cmd('edit greet/greet.go')
  t.indexed()
  local question = propose('Greeting', 'Salutation')
  local id = require('ploke.review').hunks()[1].proposal.id
  cited('main.go')
  vim.cmd('Ploke diff')
  diff_opens('the proposal opens in diff mode')
  cursor_at('// Greeting returns')
  check('beside the file under a readable name', vim.deep_equal(names(), { 'greet/greet.go', 'ploke://proposed/greet/greet.go' }), vim.inspect(names()))
  keys('do')
  eventually('do obtains the hunk under the cursor', function()
    return sides()[1]:find('// Salutation returns', 1, true)
  end, told)
  check('and no other', sides()[1]:find('func Greeting', 1, true), sides()[1])
  becomes(question, '2 waiting, 1 applied and checked; ')
  cursor_at('func Greeting')
  vim.cmd('wincmd l')
  vim.fn.search('func Salutation')
  keys('dp')
  eventually('dp puts the hunk from the proposed text into the file', function()
    return text('greet/greet.go'):find('func Salutation', 1, true)
  end, told)
  eventually('the diff of the next file follows', function()
    return vim.deep_equal(names(), { 'main.go', 'ploke://proposed/main.go' })
  end, function()
    return vim.inspect(names())
  end)
  check('in one tab', #vim.api.nvim_list_tabpages() == 2)
  keys('dp')
  becomes(question, '2 applied and checked, 1 rejected')
  check('dp in the file rejects the hunk', text('main.go'):find('greet.Greeting', 1, true))
  eventually('the diff closes when nothing waits', function()
    return #vim.api.nvim_list_tabpages() == 1
  end, told)
  vim.cmd('Ploke undo')
  becomes(question, 'undone')
  check('undoing reverts what was accepted', text('greet/greet.go'):find('func Greeting', 1, true), text('greet/greet.go'))
  check('the keys of the diff are gone', vim.fn.maparg('do', 'n') == '' and vim.fn.maparg('dp', 'n') == '')
  vim.cmd('Ploke diff ' .. id)
  diff_opens('what was decided on can still be seen')
  check('with the text before and after', vim.startswith(names()[1], 'ploke://before/') and vim.startswith(names()[2], 'ploke://after/'), vim.inspect(names()))
  vim.cmd('tabclose')
end

local function edited()
  vim.cmd('buffer greet/greet.go')
  local question = propose('hello', 'opening')
  vim.fn.search('return hello')
  vim.cmd('Ploke edit')
  diff_opens('the proposed text opens')
  cursor_at('return opening')
  check('it is editable code', vim.bo.filetype == 'go' and vim.bo.buftype == 'acwrite' and vim.bo.modifiable)
  vim.cmd([[%s/return "Hello"/return "Good morning"/]])
  messages = {}
  vim.cmd('Ploke accept')
  check('it is not accepted while it has unsaved changes', #messages == 1 and messages[1]:find('greet/greet.go has unsaved changes; write or discard them', 1, true), vim.inspect(messages))
  vim.fn.search('func opening')
  keys('gza')
  check('nor is a hunk', #messages == 2 and messages[2]:find('has unsaved changes', 1, true), vim.inspect(messages))
  vim.cmd('write')
  check('writing it changes the proposal', not vim.bo.modified, told())
  check('and not the file', not text('main.go'):find('morning', 1, true) and not sides()[1]:find('morning', 1, true))
  vim.cmd('tabclose')
  eventually('the new text is shown in the file', function()
    return vim.inspect(marks()):find('Good morning', 1, true)
  end, told)
  vim.cmd('Ploke accept')
  becomes(question, 'applied and checked')
  check('it is accepted with the change', text('greet/greet.go'):find('func opening() string {\n\treturn "Good morning"', 1, true), text('greet/greet.go'))
end

--- Returns what is shown behind the lines of the buffer.
local function labels()
  local found = {}
  for _, mark in ipairs(marks()) do
    if mark[4].virt_text then
      table.insert(found, mark[4].virt_text[1][1])
    end
  end
  return table.concat(found, '\n')
end

local function in_conflict()
  local question = propose('opening', 'welcome')
  vim.cmd('buffer greet/greet.go')
  vim.cmd([[%s/func opening() string/func opening(loud bool) string/]])
  eventually('a hunk whose lines were changed is in conflict', function()
    return labels():find('in conflict: these lines have changed since', 1, true)
  end, labels)
  messages = {}
  vim.fn.search('func opening')
  eventually('with the key that resolves it, in few columns', function()
    vim.api.nvim_exec_autocmds('CursorMoved', {})
    return labels():find('in conflict · gze gzr ]k', 1, true)
  end, labels)
  keys('gza')
  check('it is not accepted', #messages == 1 and messages[1]:find('in conflict with the file; :Ploke edit resolves it', 1, true), vim.inspect(messages))
  vim.cmd('Ploke accept')
  becomes(question, '2 in conflict, 1 waiting; ')
  vim.cmd('Ploke accept file')
  becomes(question, '2 in conflict, 1 applied and checked; ')
  check('what fits is accepted', text('greet/greet.go'):find('return welcome()', 1, true), text('greet/greet.go'))
  eventually('and the rest is named', function()
    return vim.inspect(messages):find('2 not accepted, in conflict with the file; :Ploke edit resolves it', 1, true)
  end, told)
  check('the typed text stays', text('greet/greet.go'):find('func opening(loud bool) string', 1, true))
  vim.cmd('Ploke edit')
  diff_opens('its sides open')
  check('the file, the text to write, and the text as it was proposed', #sides() == 3 and vim.startswith(names()[3], 'ploke://as it was proposed/'), vim.inspect(names()))
  check('each with its own', sides()[1]:find('func opening(loud bool)', 1, true) and sides()[3]:find('func welcome() string', 1, true), vim.inspect(sides()))
  vim.cmd([[%s/func opening(loud bool)/func welcome(loud bool)/]])
  vim.cmd('write')
  check('the text to write is stored', not vim.bo.modified, vim.inspect(messages))
  eventually('it fits', function()
    return #vim.tbl_filter(function(one) return one.hunk.conflict end, require('ploke.review').hunks()) == 0
  end, told)
  vim.cmd('Ploke accept')
  becomes(question, 'applied and checked')
  check('it is accepted as it was written', text('greet/greet.go'):find('func welcome(loud bool) string', 1, true), text('greet/greet.go'))
end

local function listed()
  vim.cmd('buffer greet/greet.go')
  local question = propose('welcome', 'greeting')
  vim.cmd('Ploke hunks')
  local list = vim.fn.getqflist({ items = 0, title = 0, size = 0 })
  check('the quickfix list has all hunks', list.size == #require('ploke.review').hunks() and list.size == 2 and list.title == 'ploke: hunks that wait', vim.inspect(list))
  check('with what they do', list.items[1].text ~= '' and list.items[1].lnum > 0, vim.inspect(list.items[1]))
  check('the cursor stays in the file', vim.fn.expand('%:.') == 'greet/greet.go')
  vim.cmd('cc 2')
  local line = vim.fn.line('.')
  keys('gzr')
  eventually('it follows the review', function()
    return vim.fn.getqflist({ size = 0 }).size == list.size - 1
  end, told)
  check('the hunk was at its place', line == list.items[2].lnum)
  vim.cmd('Ploke reject all names are fine')
  becomes(question, 'rejected')
  eventually('the list is empty then', function()
    return vim.fn.getqflist({ size = 0 }).size == 0
  end, told)
  vim.cmd('cclose')
end

t.run { in_parts, edited, in_conflict, listed }
