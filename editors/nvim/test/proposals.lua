-- Deciding on proposals: accepting a hunk or a file, accepting an edited proposal, and a stale proposal.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local check, eventually, text, answer = t.check, t.eventually, t.text, t.answer

local messages = {}
vim.notify = function(message)
  table.insert(messages, message)
end

local function told()
  return t.chat_text() .. vim.inspect(messages)
end

--- Asks for a rename and opens what is proposed.
local function propose(from, to)
  local question = ('rename %s to %s'):format(from, to)
  vim.cmd('Ploke ask ' .. question)
  eventually(question .. ' is proposed', function()
    return t.idle() and answer(question):find('Proposal: [^\n]+ — :Ploke accept')
  end, told)
  vim.cmd('Ploke diff')
  eventually('and shown', function()
    return vim.bo.filetype == 'diff' and table.concat(t.lines(0), '\n'):find('\n%+[^\n]*' .. to)
  end, function()
    return table.concat(t.lines(0), '\n')
  end)
  return question
end

local function becomes(question, status)
  eventually('it is ' .. status, function()
    return answer(question):find('Proposal: [^\n]+ — ' .. status)
  end, told)
end

--- The states that the open diff shows behind its lines.
local function states()
  local found = {}
  local space = vim.api.nvim_get_namespaces()['ploke.proposal_diff']
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, 0, -1, { details = true })) do
    table.insert(found, t.lines(0)[mark[2] + 1] .. mark[4].virt_text[1][1])
  end
  return found
end

local function in_parts()
  vim.cmd('edit main.go')
  vim.cmd('edit greet/greet.go')
  t.indexed()
  local question = propose('Greeting', 'Salutation')
  vim.fn.search('^+func Salutation')
  vim.api.nvim_feedkeys('dp', 'xt', false)
  eventually('the hunk under the cursor is accepted', function()
    return text('greet/greet.go'):find('func Salutation', 1, true)
  end, told)
  check('the other hunk of the file is not accepted', text('greet/greet.go'):find('// Greeting returns', 1, true), text('greet/greet.go'))
  becomes(question, 'in part: :Ploke accept')
  eventually('the diff shows it', function()
    return vim.deep_equal(states(), { '-func Greeting(name string) string {· verified' })
  end, function()
    return vim.inspect({ states(), t.lines(0) })
  end)
  t.save('nvim-partial.txt', 0)
  vim.fn.search('greet.Salutation')
  vim.cmd('Ploke accept file')
  eventually('the file under the cursor is accepted', function()
    return text('main.go'):find('greet.Salutation', 1, true)
  end, told)
  eventually('and verified', function()
    return vim.endswith(states()[2] or '', '· verified')
  end, function()
    return vim.inspect({ states(), t.lines(0) })
  end)
  check('the first file still has an open hunk', text('greet/greet.go'):find('// Greeting returns', 1, true), text('greet/greet.go'))
  vim.cmd('Ploke accept')
  becomes(question, 'verified')
  check('accepting the rest changes the open hunk', text('greet/greet.go'):find('// Salutation returns', 1, true), text('greet/greet.go'))
  vim.cmd('Ploke undo')
  becomes(question, 'undone')
  check('undoing reverts all files', text('main.go'):find('greet.Greeting', 1, true) and text('greet/greet.go'):find('func Greeting', 1, true))
  vim.cmd('close')
end

local function edited()
  local question = propose('hello', 'opening')
  vim.cmd('Ploke edit')
  eventually('the proposed text of the file opens', function()
    return vim.bo.filetype == 'go' and vim.bo.buftype == 'acwrite' and table.concat(t.lines(0), '\n'):find('func opening', 1, true)
  end, told)
  vim.cmd([[%s/return "Hello"/return "Good morning"/]])
  messages = {}
  vim.cmd('Ploke accept')
  check('it is not accepted while it has unsaved changes', #messages == 1 and messages[1]:find('greet/greet.go has unsaved changes; write or discard them', 1, true), vim.inspect(messages))
  vim.cmd('write')
  eventually('writing it changes the proposal', function()
    return not vim.bo.modified
  end, told)
  check('and not the file', not text('greet/greet.go'):find('morning', 1, true))
  vim.cmd('bdelete')
  eventually('the diff shows the change', function()
    return table.concat(t.lines(0), '\n'):find('\n%+\treturn "Good morning"')
  end, function()
    return table.concat(t.lines(0), '\n')
  end)
  vim.cmd('close')
  vim.cmd('Ploke accept')
  becomes(question, 'verified')
  check('it is accepted with the change', text('greet/greet.go'):find('func opening() string {\n\treturn "Good morning"', 1, true), text('greet/greet.go'))
end

local function stale()
  local question = propose('opening', 'welcome')
  vim.cmd('close')
  vim.cmd('edit greet/greet.go')
  vim.cmd([[%s/func opening() string/func opening(loud bool) string/]])
  messages = {}
  vim.cmd('Ploke accept')
  becomes(question, 'stale: :Ploke diff shows where it does not fit')
  check('the typed text stays', text('greet/greet.go'):find('func opening(loud bool) string', 1, true))
  eventually('the reason is shown', function() return #messages == 1 and messages[1]:find('greet.go', 1, true) end, told)
  vim.cmd('Ploke diff')
  local function shown()
    return table.concat(t.lines(0), '\n')
  end
  eventually('both sides are shown', function()
    return shown():find('<<<<<<< the file now\n// opening is the word that opens a greeting.\nfunc opening(loud bool) string {\n||||||| the file when it was proposed\n// opening is the word that opens a greeting.\nfunc opening() string {\n=======\n// welcome is the word that opens a greeting.\nfunc welcome() string {\n>>>>>>> the proposal', 1, true)
  end, shown)
  t.save('nvim-conflict.txt', 0)
  vim.cmd('close')
  vim.cmd([[%s/func opening(loud bool) string/func opening() string/]])
  vim.cmd('Ploke accept')
  becomes(question, 'verified')
end

t.run { in_parts, edited, stale }
