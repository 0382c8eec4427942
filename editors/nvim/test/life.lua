-- The life of the server and of a conversation: kills, a conversation that goes on, and one that is new.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/held_model.lua')
local check, eventually = t.check, t.eventually
local client = require('ploke.client')

local messages, events = {}, {}
vim.notify = function(message)
  table.insert(messages, message)
end
vim.api.nvim_create_autocmd('User', {
  pattern = 'PlokeServer*',
  callback = function(event)
    table.insert(events, event.match)
  end,
})

local function says(text)
  eventually('the chat says: ' .. text, function()
    return t.chat_text():find(text, 1, true)
  end, t.chat_text)
end

local function kill()
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    (vim.uv or vim.loop).kill(pid, 'sigkill')
  end
end

local function runs()
  local server = client.running()[1]
  return server and server.client and server
end

--- Kills the server, and waits until another one runs, to which the file is attached.
local function kill_and_wait(bufnr)
  local before = runs().id
  kill()
  eventually('a killed server comes back', function()
    return runs() and runs().id ~= before and vim.lsp.buf_is_attached(bufnr, runs().id)
  end, function()
    return vim.inspect({ messages, vim.g.ploke_status })
  end)
end

local function killing()
  vim.cmd('edit main.go')
  local bufnr = vim.api.nvim_get_current_buf()
  t.indexed()
  messages, events = {}, {}
  kill_and_wait(bufnr)
  check('it is reported once', #messages == 1 and messages[1] == 'ploke: the server ended (signal 9) and starts again', vim.inspect(messages))
  check('events say so', events[1] == 'PlokeServerEnded' and events[2] == 'PlokeServerReady', vim.inspect(events))
  kill_and_wait(bufnr)
  check('a second end in a row is not reported', #messages == 1, vim.inspect(messages))
  eventually('and the status line is that of a server', t.idle, function() return vim.g.ploke_status end)
end

local function asking_meanwhile()
  kill()
  eventually('the server is gone', function() return not runs() end)
  check('the status line says what happens', vim.g.ploke_status == 'ploke: restarting', vim.g.ploke_status)
  vim.cmd('Ploke ask are you there')
  says('Answer to are you there')
  model.go_on()
  eventually('a question starts it at once, and is answered', t.idle)
end

--- A server that dies while a question waits for it. It does so by itself: a signal from here may come when it has
--- answered, and the question is in the prompt again.
local function dying_early()
  local program, died = vim.fn.tempname(), vim.fn.tempname()
  vim.fn.writefile({ '#!/bin/sh', ('mkdir %s 2>/dev/null && kill -9 $$'):format(died), 'exec "$PLOKE_BINARY" serve' }, program)
  vim.fn.setfperm(program, 'rwx------')
  model.setup { cmd = { program } }
  kill()
  eventually('the server is gone again', function() return not runs() end)
  vim.cmd('Ploke ask and now')
  says('Answer to and now')
  check('it died before', vim.fn.isdirectory(died) == 1)
  model.go_on()
  eventually('no question is lost', t.idle)
end

local function pauses()
  local ending = require('ploke.client_end')
  ending.forget('/here')
  local found = {}
  for _ = 1, 9 do
    table.insert(found, ending.pause('/here', 10) or 'none')
  end
  check('the pauses grow, and then it gives up', vim.deep_equal(found, { 500, 1000, 2000, 4000, 8000, 16000, 30000, 30000, 'none' }), vim.inspect(found))
  check('but not for a server that has worked', ending.pause('/here', 60000) == 500)
  check('a stopped server stays stopped', ending.on_purpose(0, 15) and ending.on_purpose(130, 0) and ending.on_purpose(0, 0))
  check('one that fails or is killed does not', not ending.on_purpose(1, 0) and not ending.on_purpose(0, 9))
end

local function never_starting()
  local program = vim.fn.tempname()
  vim.fn.writefile({ '#!/bin/sh', 'exit 3' }, program)
  vim.fn.setfperm(program, 'rwx------')
  model.setup { cmd = { program }, root = function() return vim.fn.getcwd() .. '/greet' end }
  local ending = require('ploke.client_end')
  local pause = ending.pause
  ending.pause = function(...) return pause(...) and 1 end
  messages = {}
  vim.cmd('edit greet/greet.go')
  eventually('a server that never works is given up', function()
    return #messages > 1 and messages[#messages]:find('keeps ending (status 3); :Ploke log shows why', 1, true)
  end, function() return vim.inspect(messages) end)
  check('with a message at first and one at last', #messages == 2, vim.inspect(messages))
  ending.pause = pause
  vim.cmd('bwipeout!')
  model.setup()
end

local function beginning_anew()
  vim.cmd('edit main.go | only')
  vim.cmd('Ploke new')
  eventually(':Ploke new shows an empty chat, and goes there', function()
    return vim.api.nvim_get_current_buf() == t.chat() and not t.chat_text():find('Answer')
  end, t.chat_text)
  vim.cmd('wincmd p')
  vim.cmd('Ploke ask a new topic')
  says('Answer to a new topic')
  model.go_on()
  eventually('the new conversation has an answer', t.idle)
  check('and nothing of the one before', not t.chat_text():find('are you there'), t.chat_text())
end

local function continuing()
  messages = {}
  vim.cmd('Ploke continue')
  eventually('a complete answer has nothing to continue', function()
    return messages[1] == 'ploke: the last answer is complete'
  end, function() return vim.inspect(messages) end)
  vim.cmd('Ploke ask cut short')
  says('Answer to cut short')
  kill()
  says('· interrupted: the server ended; :Ploke continue resumes it')
  vim.cmd('Ploke continue')
  says('Answer to Go on where you stopped.')
  check('an interrupted answer is continued in its conversation', t.chat_text():find('Answer to a new topic', 1, true), t.chat_text())
  model.go_on()
  eventually('it ends', t.idle)
end

--- Leaves an unfinished answer for life_again.lua.
local function leaving()
  vim.cmd('Ploke ask what was I saying')
  says('Answer to what was I saying')
end

model.setup()
t.run { killing, asking_meanwhile, dying_early, pauses, never_starting, beginning_anew, continuing, leaving }
