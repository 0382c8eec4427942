-- Turns: queued and steering messages, permission requests, editor state, and stored conversations.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/model.lua')
local check, eventually, answer = t.check, t.eventually, t.answer

local header = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n'
local held -- the connection of the current answer
local asked = {} -- the questions that the model got

local function finish(connection, events)
  connection:write(events .. 'data: [DONE]\n\n', function()
    connection:close()
  end)
end

local read -- the result of the last tool call

-- The tool call before the answer to a question, by the first word of the question.
local tools = {
  check = { name = 'run_check', arguments = '{"name": "hello"}' },
  diagnose = { name = 'get_diagnostics', arguments = '{}' },
}

--- Begins an answer that names its question; go_on() ends it.
local function reply(connection, body)
  local question, called
  for _, message in ipairs(vim.json.decode(body).messages) do
    question = message.role == 'user' and message.content or question
    called = message.tool_call_id or called
    read = message.role == 'tool' and message.content or read
  end
  question = question:match('([^\n]+)%s*$')
  local tool = tools[question:match('^%a+')]
  if tool and called ~= question then
    local call = { index = 0, id = question, type = 'function', ['function'] = tool }
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

--- The state that the chat shows behind a question.
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
    return state('second') == '· queued behind the answer before it'
  end, t.chat_text)
  t.save('nvim-queued.txt', t.chat())
  go_on()
  says('Answer to second')
  check('and its state is removed', state('second') == nil)
  go_on()
  eventually('both end', t.idle)
  check('in one conversation', select(2, t.chat_text():gsub('> ', '')) == 2 and #asked == 2, vim.inspect(asked))
end

--- Lets the answer go on with a paragraph that is higher than the window.
local function write_a_screen(name)
  held:write(model.chunk({ content = '\n\n' .. string.rep(name .. '\n', 100) .. name .. ' ends here' }))
  says(name .. ' ends here')
end

local function following()
  vim.cmd('Ploke ask a long question')
  says('Answer to a long question')
  write_a_screen('first')
  local win = vim.fn.win_findbuf(t.chat())[1]
  local shown = vim.fn.line('w0', win)
  local first = vim.api.nvim_buf_get_lines(t.chat(), shown - 1, shown, false)[1]
  check('the window goes on showing the question', first == '> a long question', first)
  vim.api.nvim_win_call(win, function() vim.cmd('normal! G') end)
  write_a_screen('second')
  check('it follows the end after G', vim.fn.line('w$', win) == vim.api.nvim_buf_line_count(t.chat()))
  go_on()
  eventually('the long answer ends', t.idle)
  vim.cmd('Ploke ask another question')
  says('Answer to another question')
  check('the next question is scrolled to', vim.fn.getbufline(t.chat(), vim.fn.line('w0', win))[1] == '> another question')
  go_on()
  eventually('it ends', t.idle)
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
  check('with all parts in order, once', answer('paint it'):find('^> paint it%s+Answer to paint it%.%s+> but blue%s+Answer to but blue%.%s*$'), answer('paint it'))
end

local function breaking_off()
  vim.cmd('Ploke ask draw it')
  says('Answer to draw it')
  vim.cmd('Ploke steer but small')
  local listed = false
  require('ploke.client').with(function(server)
    require('ploke.requests').chat_list(server, function() listed = true end)
  end)
  eventually('the server has read it', function() return listed end)
  go_on()
  says('Answer to but small')
  local broken = held
  broken:close()
  eventually('the server retries', function() return held ~= broken and t.chat_text():find('· trying again', 1, true) end, t.chat_text)
  says('Answer to but small')
  go_on()
  eventually('the answer ends', t.idle)
  t.save('nvim-steered-broken.txt', t.chat())
  for _, words in ipairs({ 'Answer to draw it', 'Answer to but small' }) do
    check('it is shown once: ' .. words, select(2, answer('draw it'):gsub(words, '')) == 1, answer('draw it'))
  end
  check('in order', answer('draw it'):find('^> draw it%s+Answer to draw it%.%s+> but small'), answer('draw it'))
end

local function stopping()
  vim.cmd('Ploke ask run on')
  says('Answer to run on')
  vim.cmd('Ploke ask and then')
  eventually('one is queued', function() return state('and then') end)
  vim.cmd('Ploke stop')
  says('· stopped')
  says('· withdrawn')
  check('nothing runs', t.idle(), vim.g.ploke_status)
end

local function permitting()
  for command, verdict in pairs({ ['deny'] = 'denied', ['allow'] = 'granted' }) do
    local question = 'check it: ' .. command
    vim.cmd('Ploke ask ' .. question)
    eventually('permission is requested', function()
      return answer(question):find('Permission: run the check hello — :Ploke allow [always] / :Ploke deny [always]\n    echo hello', 1, true)
    end, t.chat_text)
    t.save('nvim-permission-request.txt', t.chat())
    check('the turn shows that it waits', state(question) == '· waits for your answer', state(question))
    check('and so does the status line', vim.g.ploke_status == 'ploke: asks to run the check hello', vim.g.ploke_status)
    local notify, told = vim.notify, nil
    vim.notify = function(message) told = message end
    vim.cmd('Ploke next')
    eventually('and the review, which waits for it', function()
      return (told or ''):find('it asks for permission: :Ploke allow or :Ploke deny', 1, true)
    end, function() return told end)
    vim.notify = notify
    vim.cmd('Ploke ' .. command)
    eventually('the answer is shown', function()
      return answer(question):find('Permission: run the check hello — ' .. verdict, 1, true)
    end, t.chat_text)
    says('Answer to ' .. question)
    go_on()
    eventually('the turn ends', t.idle)
    local ran = answer(question):find('\n› run_check: ran hello: ', 1, true) ~= nil
    check('the check runs only if it is allowed', ran == (verdict == 'granted'), answer(question))
  end
  t.save('nvim-permission.txt', t.chat())
end

local function forgetting()
  vim.cmd('Ploke ask check it always')
  eventually('permission is requested', function() return state('check it always') == '· waits for your answer' end, t.chat_text)
  vim.cmd('Ploke allow always')
  says('Answer to check it always')
  go_on()
  eventually('the turn ends', t.idle)
  local offered
  vim.ui.select = function(items, options, choose)
    offered = vim.tbl_map(options.format_item, items)
    choose(items[1], 1)
  end
  local told
  local notify = vim.notify
  vim.notify = function(message) told = message end
  vim.cmd('Ploke permissions')
  eventually('a permanent answer is listed, and revoked', function() return told end)
  check('by its title', #offered == 1 and offered[1]:find('^always allow: run the check hello, since %d'), vim.inspect(offered))
  vim.cmd('Ploke permissions')
  eventually('it is no longer listed', function() return told:find('no permanent answers', 1, true) end, function() return told end)
  vim.notify = notify
  vim.cmd('Ploke ask check it anew')
  eventually('permission is requested again', function() return state('check it anew') == '· waits for your answer' end, t.chat_text)
  vim.cmd('Ploke deny')
  says('Answer to check it anew')
  go_on()
  eventually('the turn ends', t.idle)
end

--- The server's requests to the editor: diagnostics of other tools, and the editor's state.
local function editor_requests()
  vim.cmd('edit greet/greet.go')
  local bufnr = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_lines(bufnr, 0, 0, false, { '// 🦀 ü: x' })
  vim.diagnostic.set(vim.api.nvim_create_namespace('linter'), bufnr, {
    { lnum = 0, col = 11, end_lnum = 0, end_col = 12, severity = vim.diagnostic.severity.WARN, source = 'linter', message = 'x is no word' },
  })
  vim.cmd('Ploke ask diagnose it')
  says('Answer to diagnose it')
  check('the model reads the diagnostics of a linter', read:find('x is no word', 1, true) and read:find('linter', 1, true), read)
  go_on()
  eventually('the turn ends', t.idle)
  local editor = require('ploke.editor_state')
  local columns = {}
  for _, encoding in ipairs({ 'utf-8', 'utf-16', 'utf-32' }) do
    table.insert(columns, editor.diagnostics({}, encoding).documents[1].diagnostics[1].range.start.character)
  end
  check('at the right column in every encoding', vim.deep_equal(columns, { 11, 8, 7 }), vim.inspect(columns))
  vim.api.nvim_exec_autocmds('TextChanged', { buffer = bufnr })
  vim.api.nvim_win_set_cursor(0, { 1, 11 })
  local there = editor.state('utf-16')
  check('the state has the cursor', there.selection.uri == vim.uri_from_bufnr(bufnr) and vim.deep_equal(there.selection.range.start, { line = 0, character = 8 }), vim.inspect(there))
  check('the visible and the edited files', vim.deep_equal(there.visible, { there.selection.uri }) and vim.deep_equal(there.recent, there.visible), vim.inspect(there))
  vim.api.nvim_set_current_win(require('ploke.chat').open())
  check('and, while the chat has the focus, the cursor in the file', vim.deep_equal(editor.state('utf-16').selection, there.selection))
  vim.cmd('wincmd p | edit!')
end

--- A turn continues while the chat's buffer is deleted.
local function attaching()
  vim.cmd('Ploke ask still there?')
  says('Answer to still there?')
  check('the withdrawn question was not sent', not vim.tbl_contains(asked, 'and then'), vim.inspect(asked))
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
  check('the answer is shown once', select(2, t.chat_text():gsub('Answer to still there', '')) == 1, t.chat_text())
  vim.cmd('Ploke ask going on')
  says('Answer to going on')
  go_on()
  eventually('the conversation goes on', t.idle)
end

local function interrupting()
  vim.cmd('Ploke ask cut short')
  says('Answer to cut short')
  for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
    (vim.uv or vim.loop).kill(pid, 'sigkill')
  end
  says('· interrupted: the server ended; :Ploke continue resumes it')
  vim.ui.select = function(items, _, choose) choose(items[1], 1) end
  vim.cmd('Ploke list')
  says('· interrupted; :Ploke continue resumes it')
  t.save('nvim-interrupted.txt', t.chat())
  vim.cmd('Ploke continue')
  says('Answer to Go on where you stopped.')
  go_on()
  eventually('it goes on', t.idle)
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
  eventually('it opens as Markdown', function()
    return vim.bo.filetype == 'markdown' and vim.fn.bufname() == '' and table.concat(t.lines(0), '\n'):find('Answer to but blue', 1, true)
  end)
  t.save('nvim-export.md', 0)
  vim.cmd('bdelete!')
  vim.ui.select = function(items, _, choose) choose(items[2], 2) end
  vim.cmd('Ploke delete')
  eventually('the chat is empty after its deletion', function() return t.chat_text() == '' end, t.chat_text)
  offered = nil
  vim.ui.select = function(items) offered = items end
  local told
  vim.notify = function(message) told = message end
  vim.cmd('Ploke list')
  eventually('and it is no longer listed', function() return told and told:find('no conversation found') end, function() return vim.inspect(offered) end)
end

require('ploke').setup {
  cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
  settings = {
    model = 'scripted/model',
    providers = { scripted = { type = 'openai', baseUrl = model.serve(reply) } },
    checks = { hello = { command = { 'echo', 'hello' } } },
  },
}
t.run { queueing, following, steering, breaking_off, stopping, permitting, forgetting, editor_requests, attaching, interrupting, keeping }
