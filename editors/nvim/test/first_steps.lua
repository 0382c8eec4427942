-- What a person meets first: an empty chat that explains itself, its keys, the index that is awaited, built-in commands, and a code
-- block of an answer in their file.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/model.lua')
local check, eventually = t.check, t.eventually
local script

local function keys(typed)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(typed, true, true, true), 'xt', false)
end

--- Returns the virtual lines and texts of a namespace in the chat.
local function shown(name)
  local space, words = vim.api.nvim_get_namespaces()[name], {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(t.chat(), space, 0, -1, { details = true })) do
    for _, line in ipairs(vim.list_extend(mark[4].virt_lines or {}, { mark[4].virt_text or {} })) do
      for _, chunk in ipairs(line) do
        table.insert(words, chunk[1])
      end
    end
  end
  return table.concat(words, '\n')
end

local function welcome()
  return shown('ploke.chat.welcome')
end

local function use_model()
  script = model.script()
  require('ploke').setup { cmd = { os.getenv('PLOKE_BINARY'), 'serve' }, cmd_env = {
    PLOKE_BASE_URL = script.url, PLOKE_API_KEY = 'none', PLOKE_MODEL = 'scripted',
  } }
end

local function an_empty_chat()
  vim.fn.system('git init -q . && git add -A && git -c user.name=a -c user.email=a@localhost commit -q -m first')
  use_model()
  vim.cmd('edit main.go')
  t.indexed()
  vim.cmd('Ploke')
  eventually('an empty chat has questions about the project', function()
    return welcome():find('For example:\n.*Greeting')
  end, welcome)
  check('and says what to type', welcome():find('@ brings files', 1, true) and welcome():find('g? shows the keys', 1, true), welcome())
  local widest = 0
  for _, line in ipairs(vim.split(welcome(), '\n')) do
    widest = math.max(widest, vim.fn.strdisplaywidth(line))
  end
  check('in half of 80 columns', widest > 20 and widest < 40, welcome())
  if vim.fn.has('nvim-0.8') == 1 then
    eventually('the bar names the model', function() return vim.wo.winbar:find('ploke · .*scripted · g%? keys') end, function() return vim.wo.winbar end)
  end
  local border = shown('ploke.chat')
  check('the border has the keys for each mode', border:find('── Ask ── Normal <CR>, Insert <C-s> ── g? keys', 1, true), border)
  require('ploke.chat_prompt').set('half a question')
  check('what is written hides the welcome', welcome() == '', welcome())
  require('ploke.chat_prompt').set('')
  check('which comes back', welcome():find('For example', 1, true), welcome())
end

local function its_keys()
  vim.cmd('Ploke')
  local windows = #vim.api.nvim_list_wins()
  keys('g?')
  local help = table.concat(t.lines(0), '\n')
  check('g? shows the keys', help:find('\n<CR> +send the message') and help:find('\ngp +put the code block') and help:find('\n]] '), help)
  check('they can not be changed, and leave room for the chat', not vim.bo.modifiable and vim.fn.winheight(0) == math.min(vim.fn.line('$'), math.max(vim.o.lines - 10, 4)),
    vim.inspect({ vim.bo.modifiable, vim.fn.winheight(0) }))
  keys('q')
  check('q closes them', #vim.api.nvim_list_wins() == windows and vim.api.nvim_get_current_buf() == t.chat(), vim.api.nvim_buf_get_name(0))
  vim.api.nvim_win_set_cursor(0, { require('ploke.chat_buffer').border() + 1, 0 })
  keys('<CR>')
  check('Enter on the border goes to the prompt', vim.fn.line('.') == vim.fn.line('$'), tostring(vim.fn.line('.')))
end

local function progress(server, kind, percent)
  local handler = require('ploke.client_options').get().handlers['$/progress']
  handler(nil, { token = 'index', value = { kind = kind, title = 'ploke: indexing', percentage = percent } }, { client_id = server.id }, {})
end

local function the_index_is_awaited()
  vim.cmd('wincmd p')
  vim.cmd('Ploke ask what is it')
  eventually('a message is sent', function() return #script.requests == 1 end)
  local server = require('ploke.client').running()[1]
  progress(server, 'begin', 58)
  check('how far the index is stands where the answer will be', shown('ploke.chat'):find('waiting for the index: 58 %', 1, true), shown('ploke.chat'))
  check('and the chat is not empty any more', welcome() == '', welcome())
  script:say('It is:\n\n```go\nfunc put() {\n}\n```\n\nThat is all.')
  eventually('it goes once the answer begins', function() return not shown('ploke.chat'):find('waiting', 1, true) end, function() return shown('ploke.chat') end)
  progress(server, 'report', 70)
  check('and stays away', not shown('ploke.chat'):find('waiting', 1, true), shown('ploke.chat'))
  progress(server, 'end')
  script:finish()
  eventually('the answer ends', t.idle)
end

local function a_code_block()
  vim.cmd('edit main.go')
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  vim.cmd('Ploke')
  vim.fn.search('func put')
  keys('gp')
  check('the code block is below the cursor of the file', vim.deep_equal({ unpack(t.lines(vim.fn.bufnr('main.go')), 1, 5) },
    { 'package main', '', 'func put() {', '}', 'import (' }), vim.inspect(t.lines(vim.fn.bufnr('main.go'))))
  check('and the cursor is there', vim.fn.expand('%:t') == 'main.go' and vim.fn.line('.') == 3)
  keys('u')
  check('one undo takes it back', t.lines(0)[3] == 'import (', vim.inspect(t.lines(0)))
  vim.cmd('Ploke')
  vim.fn.search('That is all')
  keys('gp')
  check('elsewhere nothing is put', vim.api.nvim_get_current_buf() == t.chat())
end

local function last_question()
  return script:question()
end

local function built_in_commands()
  vim.cmd('edit greet/greet.go')
  vim.cmd([[%s/"Hello"/"Good day"/]])
  vim.cmd('silent write')
  vim.cmd('Ploke review')
  eventually('what differs from the last commit is reviewed', function()
    return #script.requests == 2 and last_question():find('+\treturn "Good day"', 1, true)
  end, function() return vim.inspect({ #script.requests, last_question() }) end)
  script:finish()
  eventually('the review ends', t.idle)
  vim.cmd('Ploke commit')
  eventually('a message for the commit is asked for', function()
    return #script.requests == 3 and last_question():find('+\treturn "Good day"', 1, true)
  end, function() return vim.inspect({ #script.requests, last_question() }) end)
  script:finish()
  eventually('it ends', t.idle)
end

local function failed_steps()
  vim.cmd('Ploke ask read what is not there')
  eventually('it is asked', function() return #script.requests == 4 end)
  script:call('one', 'read_file', '{"file":"main.go"}')
  eventually('a file is read', function() return #script.requests == 5 end)
  script:call('two', 'read_file', '{"file":"none.go"}')
  eventually('one that is not there is not', function() return #script.requests == 6 end)
  script:say('One is there.')
  script:finish()
  eventually('it ends', t.idle)
  local space, failed = vim.api.nvim_get_namespaces()['ploke.chat'], nil
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(t.chat(), space, 0, -1, { details = true })) do
    local line = t.lines(t.chat())[mark[2] + 1]
    failed = mark[4].hl_group == 'PlokeProblem' and line or failed
  end
  check('a failed step is shown as failed', failed and failed:find('^› read_file failed: .*none.go'), t.chat_text():sub(-600))
  vim.api.nvim_set_current_win(vim.fn.win_findbuf(t.chat())[1])
  vim.fn.search('read_file failed')
  vim.cmd('normal! zc')
  local text = vim.fn.foldtextresult(vim.fn.foldclosed('.'))
  check('also where steps are folded', text:find('read_file ×2, 1 failed', 1, true), text)
end

local function context_words()
  vim.fn.setqflist({ { filename = 'main.go', lnum = 3, text = 'unused import' } })
  vim.cmd('wincmd p')
  vim.cmd('enew | setlocal bufhidden=hide')
  vim.fn.termopen({ 'echo', 'all tests passed' })
  eventually('the terminal is there', function() return table.concat(t.lines(0), ''):find('passed', 1, true) end)
  vim.cmd('edit greet/greet.go')
  local before = #script.requests
  vim.cmd('Ploke ask what is in @quickfix and @terminal and @diff')
  eventually('the quickfix list, a terminal and the changes are sent', function()
    local question = #script.requests > before and last_question() or ''
    return question:find('main.go:3: unused import', 1, true) and question:find('all tests passed', 1, true)
      and question:find('+\treturn "Good day"', 1, true)
  end, last_question)
  script:finish()
  eventually('it ends', t.idle)
  local items, length = require('ploke.context_words').complete('see @q')
  check('the words are completed', #items == 1 and items[1].insert == '@quickfix' and length == 2, vim.inspect(items))
end

t.run { an_empty_chat, its_keys, the_index_is_awaited, a_code_block, built_in_commands, failed_steps, context_words }
