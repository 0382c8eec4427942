-- What is known of a proposal: a line for each source below it in the chat, its new problems as a list, what its check has
-- printed, and running the check again. The check runs in a sandbox.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/proposing_model.lua')
local check, eventually = t.check, t.eventually

local messages = {}
vim.notify = function(message)
  table.insert(messages, message)
end

local function told()
  return t.chat_text() .. vim.inspect({ messages, vim.g.ploke_status })
end

--- Returns the line of the chat with the proposal, and the lines below it that say what is known.
local function shown()
  local lines, found = vim.split(t.chat_text(), '\n'), {}
  for i, line in ipairs(lines) do
    if vim.startswith(line, 'Proposal: ') then
      found = { line }
      while lines[i + #found] and vim.startswith(lines[i + #found], '  ') do
        table.insert(found, lines[i + #found])
      end
    end
  end
  return found
end

local function below(pattern)
  return (shown()[2] or ''):find(pattern) ~= nil
end

local function failing()
  vim.fn.delete('go.mod') -- so that nothing else checks the proposal
  vim.cmd('edit greet/greet.go')
  vim.cmd('Ploke ask break it')
  eventually('a check of a proposal asks for permission', function()
    return t.chat_text():find('Permission: ', 1, true)
  end, told)
  vim.cmd('Ploke allow always')
  eventually('its result is below the proposal', function()
    return below('^  ✗ words: 2 new problems %(%d+%.%d s%)$')
  end, told)
  eventually('the turn ends', t.idle, told)
  check('in one line', #shown() == 2, vim.inspect(shown()))
  check('and the answer goes on below it', t.chat_text():find('new problems %([%d.]+ s%)\n.*\nDone%.'), t.chat_text())
  t.save('nvim-evidence.txt', t.chat())
end

--- Returns the places and the texts of the quickfix list.
local function list()
  return vim.tbl_map(function(one)
    return ('%s:%d %s %s'):format(vim.fn.fnamemodify(vim.fn.bufname(one.bufnr), ':.'), one.lnum, one.type, one.text)
  end, vim.fn.getqflist())
end

local function listing()
  eventually('the hunks wait', function() return #require('ploke.review').hunks() > 0 end, told)
  vim.cmd('Ploke problems')
  eventually('its problems are listed', function() return #list() == 2 end, told)
  check('one at the hunk that makes its line', list()[1]:find('^greet/greet.go:15 E words: .*badword') , list()[1])
  eventually('one in the proposed text of a new file', function()
    return list()[2]:find('^ploke://proposed/new.go:3 E words: .*badword') and t.text('ploke://proposed/new.go'):find('badword')
  end, function() return list()[2] end)
  check('the cursor stays', vim.fn.expand('%:.') == 'greet/greet.go', vim.fn.expand('%'))
  vim.cmd('cclose')
end

local function printed()
  vim.cmd('Ploke evidence')
  eventually('what it has printed is shown', function()
    return table.concat(t.lines(0), '\n'):find('^✗ words: 2 new problems [^\n]+\n%$ sh [^\n]+\n[^\n]*badword')
  end, told)
  check('to read', not vim.bo.modifiable and vim.bo.buftype == 'nofile')
  vim.api.nvim_feedkeys('q', 'xt', false)
  check('until q', not vim.fn.bufname():find('ploke://evidence/', 1, true), vim.fn.bufname())
  vim.cmd('wincmd t')
  vim.api.nvim_set_current_win(require('ploke.chat').open())
  vim.fn.search('✗ words', 'w')
  require('ploke.chat').enter()
  eventually('Enter on the line shows it, too', function()
    return vim.fn.bufname():find('ploke://evidence/', 1, true)
  end, told)
  vim.api.nvim_feedkeys('q', 'xt', false)
  vim.cmd('wincmd p')
end

local function again()
  vim.fn.writefile({ '// Package more is badword already.', 'package more' }, 'more.go')
  eventually('a change of the files makes it stale', function() return below('^  ~ words: stale') end, told)
  vim.cmd('Ploke check tests')
  check('the status line says that it runs', vim.g.ploke_status:find('checking', 1, true), vim.g.ploke_status)
  eventually('it is checked again', function() return below('^  ✗ words: 2 new problems') end, told)
  eventually('and said', function() return (messages[#messages] or ''):find('✗ words: 2 new problems', 1, true) end, told)
  check('still in one line', #shown() == 2, vim.inspect(shown()))
  for line, expected in pairs({ ['Ploke check t'] = 'tests', ['Ploke problems '] = require('ploke.review').hunks()[1].proposal.id }) do
    check(line .. ' is completed', vim.tbl_contains(vim.fn.getcompletion(line, 'cmdline'), expected), vim.inspect(vim.fn.getcompletion(line, 'cmdline')))
  end
end

--- The conversation is shown again.
local function reopened()
  vim.ui.select = function(items, _, choose) choose(items[1], 1) end
  vim.cmd('bdelete ' .. t.chat())
  vim.cmd('Ploke list')
  eventually('a stored proposal has its line', function() return below('^  ✗ words: 2 new problems') end, told)
end

--- Says something of the proposal, as the server does outside of turns.
local function say(all)
  local id, server = require('ploke.review').hunks()[1].proposal.id, require('ploke.review').hunks()[1].server
  require('ploke.client_options').get().handlers['ploke/event'](nil, { seq = 0, type = 'evidence', id = id, evidence = all }, { client_id = server.id })
end

local function states()
  local before = t.chat_text()
  local long = ('長い'):rep(60)
  say({
    { source = 'a', kind = 'problems', state = 'running', summary = 'running' },
    { source = 'b', kind = 'command', state = 'passed', summary = '3 tests passed (1.2 s)' },
    { source = 'c', kind = 'command', state = 'unknown', summary = 'unknown: ' .. long },
    { source = 'd', kind = 'command', state = 'failed', summary = '1 new problem' },
  })
  local lines = shown()
  check('each source has a line', #lines == 5 and lines[2] == '  … a: running' and lines[3] == '  ✓ b: 3 tests passed (1.2 s)' and lines[5] == '  ✗ d: 1 new problem', vim.inspect(lines))
  local width = vim.fn.strdisplaywidth(lines[4] or '')
  check('a long one is cut within 80 columns', width > 70 and width < 80 and vim.endswith(lines[4], '…'), lines[4])
  say({ { source = 'b', kind = 'command', state = 'stale', summary = 'stale' } })
  check('lines are updated in place, and go', vim.deep_equal(vim.list_slice(shown(), 2), { '  ~ b: stale' }), vim.inspect(shown()))
  say({})
  check('nothing else is changed', #vim.split(t.chat_text(), '\n') == #vim.split(before, '\n') - 1, t.chat_text())
end

-- Prints where a word is, as compilers do, and ends with status 1 if it is somewhere.
local finds = [[found=$(grep -rn badword .) || exit 0; echo "$found" | sed 's/:[0-9]*:/&1: /'; exit 1]]

--- A command prints, sleeps, prints more, and ends.
local function printing()
  vim.cmd('Ploke ask print slowly')
  local function step()
    return t.answer('print slowly'):match('› run_command[^\n]*') or ''
  end
  eventually('a step shows the last line that is printed', function()
    return step():find('^› run_command … 2nd 長長.*…$')
  end, told)
  check('within 80 columns', vim.fn.strdisplaywidth(step()) < 80, step())
  vim.api.nvim_set_current_win(require('ploke.chat').open())
  vim.fn.search('› run_command', 'bw')
  require('ploke.chat').enter()
  check('Enter shows all of it', table.concat(t.lines(0), '\n'):find('^# run_command\n\nIt runs, and prints:\n\n1st\n2nd 長'), table.concat(t.lines(0), '\n'))
  local window, bufnr = vim.api.nvim_get_current_win(), vim.api.nvim_get_current_buf()
  eventually('and what comes', function() return table.concat(t.lines(bufnr), '\n'):find('\n3rd\n') end, function() return table.concat(t.lines(bufnr), '\n') end)
  check('which the cursor follows', vim.api.nvim_win_get_cursor(window)[1] == #t.lines(bufnr))
  vim.cmd('close')
  eventually('then the step has the result', function() return step():find('^› run_command: ') end, told)
  eventually('the turn ends', t.idle, told)
end

--- The server is killed while a check runs.
local function ended()
  vim.cmd('Ploke check')
  check('a check runs', vim.g.ploke_status:find('checking', 1, true), vim.g.ploke_status)
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    (vim.uv or vim.loop).kill(pid, 'sigkill')
  end
  eventually('the status line forgets it when the server ends', t.idle, told)
end

local slowly = 'echo 1st; printf "2nd %0.s長" 1; printf "長%0.s" $(seq 90); echo; sleep 5; echo 3rd'

model.use({
  ['print slowly'] = { { 'run_command', { command = slowly } } },
  ['break it'] = {
    model.replace('greet/greet.go', 'name = "world"', 'name = "world"\n\t\tname = name + ""'),
    model.replace('greet/greet.go', 'return "Hello"', '_ = 1\n\treturn "badword"'),
    { 'create_file', { file = 'new.go', content = 'package main\n\n// badword\n' } },
  },
})
require('ploke').setup {
  cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
  settings = { proof = { compile = true, rounds = 0 }, checks = { words = { command = { 'sh', '-c', finds }, on = 'proposal' } } },
}
t.run { failing, listing, printed, again, reopened, states, printing, ended }
