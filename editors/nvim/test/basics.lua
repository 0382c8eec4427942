-- The basic features in a headless Neovim: nvim --headless -u init.lua -c 'luafile basics.lua', in the workspace's folder.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local check, eventually, lines, text, save = t.check, t.eventually, t.lines, t.text, t.save
local chat, chat_text, answer, answered, idle = t.chat, t.chat_text, t.answer, t.answered, t.idle

local function window(bufnr)
  return vim.fn.win_findbuf(bufnr)[1]
end

local function press(keys)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'xt', false)
end

-- Records statuses, messages and partial results.
local statuses, messages, partials = {}, {}, {}
vim.api.nvim_create_autocmd('User', {
  pattern = 'PlokeStatus',
  callback = function()
    table.insert(statuses, vim.g.ploke_status)
  end,
})
vim.notify = function(message)
  table.insert(messages, message)
end
local turns = require('ploke.turns')
local partial = turns.partial
turns.partial = function(token, value)
  local ours = partial(token, value)
  if ours then
    table.insert(partials, value)
  end
  return ours
end

local function said(list, pattern)
  for _, entry in ipairs(list) do
    if entry:find(pattern) then
      return true
    end
  end
  return false
end

local function missing_server()
  require('ploke').setup { cmd = { '/nonexistent/ploke-lsp', 'serve' } }
  vim.cmd('Ploke ask hello')
  check('a missing server is named, with a hint', said(messages, '/nonexistent/ploke%-lsp is not executable; build'), vim.inspect(messages))
  check('an unknown setting is refused', not pcall(require('ploke').setup, { comand = {} }))
  require('ploke').setup { cmd = { os.getenv('PLOKE_BINARY'), 'serve' } }
end

local function opening()
  vim.cmd('edit greet/greet.go')
  t.indexed()
  -- The server's notifications may arrive after its response to a request.
  eventually('indexing was shown with a percentage', function()
    return said(statuses, 'ndexing.* %d+%%')
  end, function()
    return vim.inspect(statuses)
  end)
  eventually('which ended', idle)
end

local function pausing()
  local function told(name, ...)
    local states = { ... }
    eventually(name, function()
      return #vim.tbl_filter(function(state)
        return said(messages, 'index ' .. state)
      end, states) > 0
    end, function()
      return vim.inspect(messages)
    end)
    messages = {}
  end
  messages = {}
  vim.cmd('Ploke index pause')
  told(':Ploke index pause leaves the index paused', 'paused')
  vim.cmd('Ploke index resume')
  told(':Ploke index resume goes on with it', 'indexing', 'ready')
  vim.cmd('Ploke index dance')
  check('another action is refused', said(messages, 'use :Ploke index pause or rebuild or resume'), vim.inspect(messages))
  check('actions complete', vim.deep_equal(vim.fn.getcompletion('Ploke index re', 'cmdline'), { 'rebuild', 'resume' }))
  local commands = vim.env.XDG_CONFIG_HOME .. '/ploke-lsp/commands'
  vim.fn.mkdir(commands, 'p')
  vim.fn.writefile({ 'Reword $1.' }, commands .. '/reword.md')
  check('slash commands complete', vim.deep_equal(vim.fn.getcompletion('Ploke ask /re', 'cmdline'), { '/review', '/reword' }),
    vim.inspect(vim.fn.getcompletion('Ploke ask /re', 'cmdline')))
  check('words after them do not', #vim.fn.getcompletion('Ploke ask why /re', 'cmdline') == 0)
end

--- Returns the first line that the chat's window shows.
local function first_line_shown()
  local first = vim.fn.line('w0', window(chat()))
  return vim.api.nvim_buf_get_lines(chat(), first - 1, first, false)[1]
end

local function asking()
  local question = 'How does Greeting make a greeting?'
  vim.cmd('Ploke ask ' .. question)
  eventually('the question is shown in the split', function()
    return chat_text():find('> ' .. question, 1, true) and window(chat()) ~= nil
  end)
  check('the status line shows the turn', vim.g.ploke_status == 'ploke: ' .. question .. ' …', vim.g.ploke_status)
  eventually('the answer ends', idle)
  check('it arrives in several parts', #partials > 1, tostring(#partials))
  check('the answer quotes the code', answer(question):find('```') and answer(question):find('func Greeting', 1, true), chat_text())
  check('the tool call is one line', answer(question):find('\n› code_item_lookup: [^\n]+\n'), chat_text())
  check('asking has scrolled to the question', first_line_shown() == '> ' .. question, first_line_shown())
  save('nvim-chat.txt', chat())
end

--- Presses Enter in the chat on the first line that has a citation of Greeting and passes `fits`.
local function follow(fits)
  for row, line in ipairs(lines(chat())) do
    local found = require('ploke.chat_places').at(row - 1)
    if found and found.citation and found.citation.canon == 'Greeting' and fits(line) then
      vim.api.nvim_set_current_win(window(chat()))
      vim.api.nvim_win_set_cursor(0, { row, 0 })
      press('<CR>')
      return line
    end
  end
end

local function at_greeting()
  local around = vim.fn.getline('.') .. '\n' .. vim.fn.getline(vim.fn.line('.') + 2)
  return vim.fn.expand('%:t') == 'greet.go' and around:find('Greeting', 1, true) ~= nil
end

local function citations()
  vim.cmd('edit main.go')
  check('a citation opens its place', follow(function() return true end) and at_greeting(), vim.fn.expand('%') .. ':' .. vim.fn.line('.'))
  vim.cmd('edit main.go')
  check('a code block opens its place', follow(function(line)
    return line:find('func Greeting', 1, true)
  end) and at_greeting(), vim.fn.expand('%') .. ':' .. vim.fn.line('.'))
end

local function asking_about_lines()
  local send, params = require('ploke.requests').chat_send, nil
  require('ploke.requests').chat_send = function(server, given, ...)
    params = given
    return send(server, given, ...)
  end
  vim.cmd('edit greet/greet.go')
  vim.cmd('6,11Ploke ask what does this do?')
  eventually('a question about lines is answered', idle)
  require('ploke.requests').chat_send = send
  local lines_asked = params.attachments[1]
  check('its lines are attached', vim.endswith(lines_asked.uri, '/greet/greet.go') and lines_asked.range.start.line == 5 and lines_asked.range['end'].line == 10, vim.inspect(params))
  check('it continues the conversation', params.conversationId, vim.inspect(params))
  check('they are shown below the question', answer('what does this do?'):find('^> what does this do%?\n> @greet/greet.go#L6%-L11\n'), answer('what does this do?'))
end

local function title_of(item)
  return item.title or item[2] and item[2].title or item.action and item.action.title
end

local function code_action()
  vim.cmd('edit greet/greet.go')
  vim.fn.search('func Greeting')
  vim.cmd('normal! w')
  local offered = {}
  vim.ui.select = function(items, _, choose)
    offered = vim.tbl_map(title_of, items)
    for i, item in ipairs(items) do
      if title_of(item):find('ploke: explain', 1, true) then
        return choose(item, i)
      end
    end
    choose(nil)
  end
  statuses = {}
  local before = require('ploke.chat_buffer').border()
  vim.lsp.buf.code_action()
  eventually('the status line shows the turn of a code action', function()
    return said(statuses, '^ploke: .*…$')
  end, function()
    return vim.inspect({ offered, statuses, messages })
  end)
  eventually('it ends', idle)
  local added = table.concat(vim.api.nvim_buf_get_lines(chat(), before, -1, false), '\n')
  save('nvim-code-action.txt', chat())
  check('its title and its answer are in the chat', added:find('^%s*> ') and added:find('Greeting', 4, true) and #vim.split(added, '\n') > 4, added)
end

local function accepting()
  vim.cmd('edit greet/greet.go')
  local question = 'rename Greeting to Salutation'
  vim.cmd('Ploke ask ' .. question)
  eventually('a proposal is offered', function()
    return idle() and answer(question):find('Proposal: [^\n]+ — waiting; :Ploke next / :Ploke accept / :Ploke reject / :Ploke diff')
  end, chat_text)
  vim.cmd('Ploke diff')
  eventually('its diff opens', function()
    return vim.wo.diff
  end, function()
    return vim.inspect(messages)
  end)
  vim.cmd('tabclose')
  check('nothing is changed yet', text('greet/greet.go'):find('func Greeting', 1, true))
  vim.cmd('Ploke accept')
  eventually('Neovim changed the text', function()
    return text('greet/greet.go'):find('func Salutation', 1, true)
  end, function()
    return vim.inspect(messages)
  end)
  vim.cmd('silent wall')
  eventually('the chat shows that it is verified', function()
    return answer(question):find('Proposal: [^\n]+ — applied and checked')
  end, chat_text)
  for _, step in ipairs({ { 'undo', 'Greeting', 'undone' }, { 'redo', 'Salutation', 'applied and checked' } }) do
    local action, name, status = unpack(step)
    vim.cmd('Ploke ' .. action)
    eventually(action .. ' changes the text and the chat', function()
      return text('greet/greet.go'):find('func ' .. name, 1, true) and answer(question):find('Proposal: [^\n]+ — ' .. status)
    end, function()
      return chat_text() .. vim.inspect(messages)
    end)
  end
  vim.cmd('silent wall')
end

local function rejecting()
  local question = 'rename hello to bonjour'
  vim.cmd('Ploke ask ' .. question)
  eventually('another proposal is offered', function()
    return idle() and answer(question):find(':Ploke accept', 1, true)
  end, chat_text)
  check('open proposals complete, and parts of the review', #vim.fn.getcompletion('Ploke reject ', 'cmdline') == 4, vim.inspect(vim.fn.getcompletion('Ploke reject ', 'cmdline')))
  vim.cmd('Ploke reject not in French')
  eventually('it is rejected', function()
    return answer(question):find('Proposal: [^\n]+ — rejected')
  end, chat_text)
  save('nvim-proposals.txt', chat())
  check('the text stays', text('greet/greet.go'):find('func hello', 1, true))
end

local function stopping()
  local question = 'Where does a greeting get its name?'
  vim.cmd('Ploke ask ' .. question)
  vim.cmd('Ploke stop')
  check('a stopped turn is shown as stopped at once', answer(question):find('· stopped', 1, true), chat_text())
  check('and is not in the status line', idle(), vim.g.ploke_status)
  local again = 'What is hello?'
  vim.cmd('Ploke ask ' .. again)
  eventually('the next question is answered', function()
    return idle() and answered(again)
  end, chat_text)
end

local function deleting()
  vim.cmd('Ploke ask Who is greeted?')
  vim.cmd('bdelete ' .. chat())
  eventually('a turn outlives the chat', idle)
  vim.v.errmsg = ''
  vim.cmd('Ploke ask Who is greeted again?')
  eventually('and the chat comes back', function()
    return idle() and answered('Who is greeted again?')
  end, chat_text)
  check('without an error', vim.v.errmsg == '', vim.v.errmsg)
end

--- Leaves a proposal open for restart.lua.
local function stopping_the_server()
  vim.cmd('Ploke ask rename hello to opening')
  eventually('one more proposal is offered', function()
    return idle() and answer('rename hello to opening'):find(':Ploke accept', 1, true)
  end, chat_text)
  local id = require('ploke.client').running()[1].id
  require('ploke.client').call(vim.lsp.get_client_by_id(id), 'stop', true)
  eventually('the status is empty without a server', function()
    return vim.g.ploke_status == ''
  end, function()
    return vim.g.ploke_status
  end)
  local question = 'And who calls main?'
  vim.cmd('Ploke ask ' .. question)
  eventually('the next question starts it again and is answered', function()
    return idle() and answered(question)
  end, function()
    return chat_text() .. vim.inspect(messages)
  end)
end

local function health()
  vim.cmd('checkhealth ploke')
  local report = table.concat(lines(0), '\n')
  save('nvim-health.txt', 0)
  check('checkhealth reports no error', not report:find('ERROR'), report)
  for _, part in ipairs({ 'Neovim 0.', 'speaks version ', os.getenv('PLOKE_BINARY') .. ': ', 'a server runs for ', 'settings: ', 'index: ', 'model: the embedded model', 'state: ', '/lsp.log' }) do
    check('checkhealth has: ' .. part, report:find(part, 1, true), report)
  end
  check('subcommands complete', vim.deep_equal(vim.fn.getcompletion('Ploke s', 'cmdline'), { 'status', 'steer', 'stop' }))
end

t.run { missing_server, opening, pausing, asking, citations, asking_about_lines, code_action, accepting, rejecting, stopping, deleting, stopping_the_server, health }
