-- Living with turns: messages while an answer is written, questions for leave, and the conversations that are left.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/model.lua')
local check, eventually, answer = t.check, t.eventually, t.answer

local header = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n'
local held -- the connection of the answer that has begun
local asked = {} -- what the model was asked

local function finish(connection, events)
  connection:write(events .. 'data: [DONE]\n\n', function()
    connection:close()
  end)
end

--- Says what it answers to, and ends when it is told to. Asked to check, it calls the tool first.
local function reply(connection, body)
  local question, called
  for _, message in ipairs(vim.json.decode(body).messages) do
    question = message.role == 'user' and message.content or question
    called = message.tool_call_id or called
  end
  question = question:match('([^\n]+)%s*$')
  if question:find('^check') and called ~= question then
    local call = { index = 0, id = question, type = 'function', ['function'] = { name = 'run_check', arguments = '{"name": "hello"}' } }
    return finish(connection, header .. model.chunk({ tool_calls = { call } }, 'tool_calls'))
  end
  table.insert(asked, question)
  connection:write(header .. model.chunk({ content = 'Answer to ' .. question }))
  held = connection
end

local function go_on()
  finish(held, model.chunk({ content = '.' }, 'stop'))
end

local function says(text)
  eventually('the chat says: ' .. text, function()
    return t.chat_text():find(text, 1, true)
  end, t.chat_text)
end

--- The words that stand behind a question.
local function state(question)
  local space = vim.api.nvim_get_namespaces()['ploke.chat']
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(t.chat(), space, 0, -1, { details = true })) do
    local line = vim.api.nvim_buf_get_lines(t.chat(), mark[2], mark[2] + 1, false)[1]
    if mark[4].virt_text and line == '> ' .. question then
      return mark[4].virt_text[1][1]
    end
  end
end

local function queueing()
  vim.cmd('Ploke ask first')
  vim.cmd('Ploke ask second')
  says('Answer to first')
  eventually('the next question waits', function()
    return state('second') == '· waits for the answer before it'
  end, t.chat_text)
  t.save('nvim-queued.txt', t.chat())
  go_on()
  says('Answer to second')
  check('and says so no more', state('second') == nil)
  go_on()
  eventually('both end', t.idle)
  check('in one conversation', select(2, t.chat_text():gsub('> ', '')) == 2 and #asked == 2, vim.inspect(asked))
end

local function steering()
  vim.cmd('Ploke ask paint it')
  says('Answer to paint it')
  vim.cmd('Ploke steer but blue')
  check('a message that steers is shown', state('paint it') == '· “but blue” joins at the next step', state('paint it'))
  local read = false
  require('ploke.client').with(function(server)
    require('ploke.requests').chat_list(server, function() read = true end)
  end)
  eventually('the server has read it', function() return read end)
  go_on()
  says('> but blue')
  says('Answer to but blue')
  go_on()
  eventually('the steered answer ends', t.idle)
  t.save('nvim-steered.txt', t.chat())
  check('with all of it in order, once', answer('paint it'):find('^> paint it%s+Answer to paint it%.%s+> but blue%s+Answer to but blue%.%s*$'), answer('paint it'))
end

local function stopping()
  vim.cmd('Ploke ask run on')
  says('Answer to run on')
  vim.cmd('Ploke ask and then')
  eventually('one waits', function() return state('and then') end)
  vim.cmd('Ploke stop')
  says('· stopped')
  says('· withdrawn')
  check('nothing runs', t.idle(), vim.g.ploke_status)
end

local function permitting()
  for command, verdict in pairs({ ['deny'] = 'denied', ['allow'] = 'granted' }) do
    local question = 'check it: ' .. command
    vim.cmd('Ploke ask ' .. question)
    eventually('leave is asked', function()
      return answer(question):find('Asks: run the check hello — :Ploke allow [always] / :Ploke deny [always]\n    echo hello', 1, true)
    end, t.chat_text)
    t.save('nvim-asked-leave.txt', t.chat())
    vim.cmd('Ploke ' .. command)
    eventually('the answer is shown', function()
      return answer(question):find('Asks: run the check hello — ' .. verdict, 1, true)
    end, t.chat_text)
    says('Answer to ' .. question)
    go_on()
    eventually('the turn ends', t.idle)
    local ran = answer(question):find('\n· run_check: ran hello: ', 1, true) ~= nil
    check('the check ran or did not', ran == (verdict == 'granted'), answer(question))
  end
  t.save('nvim-permission.txt', t.chat())
end

--- A turn that runs while the chat's buffer is deleted.
local function attaching()
  vim.cmd('Ploke ask still there?')
  says('Answer to still there?')
  check('what was withdrawn was not asked', not vim.tbl_contains(asked, 'and then'), vim.inspect(asked))
  vim.cmd('bdelete ' .. t.chat())
  vim.ui.select = function(items, _, choose) choose(items[1], 1) end
  vim.cmd('Ploke list')
  says('> first')
  says('> but blue')
  says('> still there?')
  go_on()
  says('Answer to still there?.')
  eventually('it ends', t.idle)
  t.save('nvim-attached.txt', t.chat())
  check('the answer stands once', select(2, t.chat_text():gsub('Answer to still there', '')) == 1, t.chat_text())
  vim.cmd('Ploke ask going on')
  says('Answer to going on')
  go_on()
  eventually('the conversation goes on', t.idle)
end

local function keeping()
  vim.cmd('Ploke rename Colours')
  local offered
  vim.ui.select = function(items) offered = items end
  eventually('it has its new title', function()
    vim.cmd('Ploke list blue')
    return offered and offered[1] and vim.startswith(offered[1].text, 'Colours: ')
  end, function() return vim.inspect(offered) end)
  vim.cmd('Ploke export')
  eventually('it is had as Markdown', function()
    return vim.bo.filetype == 'markdown' and vim.fn.bufname() == '' and table.concat(t.lines(0), '\n'):find('Answer to but blue', 1, true)
  end)
  t.save('nvim-export.md', 0)
  vim.cmd('bdelete!')
  vim.ui.select = function(items, _, choose) choose(items[2], 2) end
  vim.cmd('Ploke delete')
  eventually('it is deleted from the chat', function() return t.chat_text() == '' end, t.chat_text)
  offered = nil
  vim.ui.select = function(items) offered = items end
  local told
  vim.notify = function(message) told = message end
  vim.cmd('Ploke list')
  eventually('and from the list', function() return told and told:find('no conversation is found') end, function() return vim.inspect(offered) end)
end

require('ploke').setup {
  cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
  settings = {
    model = 'scripted/model',
    providers = { scripted = { type = 'openai', baseUrl = model.serve(reply) } },
    checks = { hello = { command = { 'echo', 'hello' } } },
  },
}
t.run { queueing, steering, stopping, permitting, attaching, keeping }
