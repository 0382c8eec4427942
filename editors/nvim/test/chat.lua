-- The chat as a buffer that one writes in. Keys are typed into a second Neovim while a scripted model answers.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local children = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/child.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/model.lua')
local check, eventually = t.check, t.eventually

vim.fn.mkdir('.git') -- so that the workspace is the root folder wherever Neovim is
local script = model.script()

local options = {
  cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
  settings = {
    model = 'scripted/model',
    providers = { scripted = { type = 'openai', baseUrl = script.url, models = { model = { price = { ['in'] = 1, out = 1 } }, other = { price = { ['in'] = 2, out = 2 } } } } },
  },
}
local nvim = children.start(options)

local function shows(text)
  eventually('the chat shows: ' .. text:gsub('\n', ' / '), function()
    return nvim:transcript():find(text, 1, true)
  end, function() return nvim:transcript() end)
end

local function asked()
  eventually('the model is asked', function() return script.connection end, function()
    return nvim:transcript() .. vim.inspect(nvim:get('_G.messages'))
  end)
end

local function idle()
  eventually('the turn ends', function() return nvim:get("require('ploke').status()") == 'ploke' end, function()
    return nvim:get("require('ploke').status()")
  end)
end

local function mode()
  return nvim:get('vim.api.nvim_get_mode().mode')
end

--- The line of the cursor, and the line of the prompt that it is in, 0 for the border.
local function cursor_line()
  return nvim:lua("return { vim.api.nvim_get_current_line(), vim.fn.line('.') - 1 - require('ploke.chat_buffer').border() }")
end

--- Empties the prompt, in normal mode.
local function clear()
  nvim:type('<Esc>')
  nvim:lua("require('ploke.chat_prompt').set('')")
end

local function writing()
  nvim:type(':edit greet/greet.go<CR>:Ploke ask<CR>')
  check(':Ploke ask begins to insert in the prompt', mode() == 'i' and cursor_line()[2] == 1, mode() .. vim.inspect(cursor_line()))
  nvim:type('one<CR>two')
  check('Enter in insert mode begins a line', nvim:prompt() == 'one\ntwo', nvim:prompt())
  nvim:type('<Esc><CR>')
  check('Enter in normal mode sends, and empties the prompt', nvim:prompt() == '', nvim:prompt())
  shows('> one\n> two')
  asked()
  check('the model gets all lines', script:question():find('one\ntwo', 1, true), script:question())
  script:say('first answer')
  shows('first answer')
  script:finish()
  idle()
  nvim:type('ithree<C-s>')
  shows('> three')
  check('CTRL-S in insert mode sends, and ends insert mode', nvim:prompt() == '' and mode() == 'n', nvim:prompt() .. mode())
  check('asking scrolls to the question', nvim:get("vim.fn.getline('w0')") == '> three', nvim:get("vim.fn.getline('w0')"))
  asked()
  script:finish()
  idle()
  nvim:type('G<CR>')
  check('an empty message is not sent', nvim:get('_G.messages[#_G.messages]'):find('the message is empty'), nvim:get('_G.messages[#_G.messages]'))
end

--- The person writes while an answer streams in.
local function streaming()
  nvim:type('iwhat streams?<C-s>')
  asked()
  nvim:type('imy dr')
  for i = 1, 30 do
    script:say(('line %d\n\n'):format(i))
    if i == 15 then
      shows('line 15')
      nvim:type('aft')
    end
  end
  shows('line 30')
  nvim:type(' goes on')
  check('what streams in leaves the prompt alone', nvim:prompt() == 'my draft goes on', nvim:prompt())
  check('and the cursor in it', mode() == 'i' and cursor_line()[1] == 'my draft goes on', mode() .. vim.inspect(cursor_line()))
  nvim:type('<Esc>')
  script:say('more\n\n')
  shows('more')
  nvim:type('odd<Esc>')
  check('in normal mode, too', nvim:prompt() == 'my draft goes on\ndd', nvim:prompt())
  nvim:type('u')
  check('undo takes back one change of the prompt', nvim:prompt() == 'my draft goes on', nvim:prompt())
  script:say('still more\n\n')
  shows('still more')
  nvim:type('<C-r>u')
  check('while the answer goes on', nvim:prompt() == 'my draft goes on' and nvim:transcript():find('still more', 1, true), nvim:prompt())
  nvim:type('u')
  check('then the insertion', nvim:prompt() == '', nvim:prompt())
  nvim:type('u')
  check('then it brings back the sent message', nvim:prompt() == 'what streams?', nvim:prompt())
  nvim:type('<C-r><C-r>')
  check('redo goes the other way', nvim:prompt() == 'my draft goes on', nvim:prompt())
  check('the answer is untouched', nvim:transcript():find('line 1\n\nline 2\n\nline 3\n', 1, true) and nvim:transcript():find('line 30\n\nmore\n\nstill more', 1, true), nvim:transcript())
  script:finish()
  idle()
  nvim:type('Gdd')
  check('a line of the prompt is deleted as usual', nvim:prompt() == '', nvim:prompt())
end

--- A flush changes only lines at the end of the answer.
local function flushing()
  nvim:lua([[
    _G.changes = {}
    vim.api.nvim_buf_attach(require('ploke.chat_buffer').get(), false, {
      on_lines = function(_, _, _, first, last, now) table.insert(_G.changes, { last - first, now - first }) end,
    })
  ]])
  nvim:type('ihow long?<C-s>')
  asked()
  for i = 1, 200 do
    script:say(('word%d '):format(i) .. (i % 20 == 0 and '\n\n' or ''))
  end
  shows('word200')
  local largest = 0
  for _, change in ipairs(nvim:get('_G.changes')) do
    largest = math.max(largest, change[1])
  end
  check('no change replaces more than two lines', largest <= 2, tostring(largest))
  script:finish()
  idle()
end

local function protecting()
  local before = nvim:transcript()
  local function unharmed(what)
    eventually(what .. ' leaves the conversation as it is', function()
      return nvim:transcript():gsub('%s+', ' ') == before:gsub('%s+', ' ')
    end, function() return nvim:transcript() end)
  end
  nvim:type('Gikeep me<Esc>')
  nvim:type('ggdd')
  check('a line of an answer can\'t be deleted', nvim:transcript() == before, nvim:transcript())
  nvim:type('ggVGd')
  unharmed('to delete all')
  check('and the prompt', nvim:prompt() == 'keep me', nvim:prompt())
  nvim:type('<Esc>G0i<BS><BS><C-w><C-u>x<Esc>')
  unharmed('to delete backwards over the beginning of the prompt')
  check('the rest of the prompt stays', nvim:prompt() == 'xkeep me', nvim:prompt())
  nvim:type('Gdk')
  unharmed('to delete the border')
  nvim:type('Giagain<Esc>')
  eventually('one writes on below it', function() return nvim:prompt() == 'again' end, function() return nvim:prompt() end)
  nvim:type('G0dgg')
  unharmed('to delete up to the top')
  check('the chat says why', nvim:get('_G.messages[#_G.messages]'):find('only the prompt can be changed'), vim.inspect(nvim:get('_G.messages')))
  nvim:type(':%s/./z/g<CR>')
  unharmed('to substitute in all lines')
  nvim:type('Giagain<Esc>gg')
  nvim:type('i')
  check('i above the prompt goes there', mode() == 'i' and cursor_line()[2] == 1, vim.inspect(cursor_line()))
  nvim:type('<Up><Up>')
  nvim:type('y<Esc>')
  check('insert mode stays there', nvim:prompt():find('y', 1, true) and nvim:transcript():gsub('%s+', ' ') == before:gsub('%s+', ' '), nvim:prompt())
  clear()
end

local function completing()
  nvim:type('iabout @gree')
  check('a completion plugin gets the completions at once', nvim:lua([[
    local function omnifunc(...) return vim.api.nvim_call_function(vim.bo.omnifunc, { ... }) end
    _G.start = omnifunc(1, '')
    _G.words = omnifunc(0, '')
    return _G.start == 6 and #_G.words > 0 and _G.words[1].word == '@greet/greet.go'
  ]]), vim.inspect({ nvim:get('_G.start'), nvim:get('_G.words') }))
  clear()
  nvim:type('Giwhile it streams<C-s>')
  asked()
  nvim:type('iü 🦀 @greet/gr<C-x><C-o>')
  for i = 1, 20 do
    script:say(('delta %d\n\n'):format(i))
  end
  eventually('CTRL-X CTRL-O completes a file', function() return nvim:prompt() == 'ü 🦀 @greet/greet.go' end, function() return nvim:prompt() end)
  shows('delta 20')
  nvim:type(' and #hello<C-x><C-o>')
  eventually('a symbol', function() return nvim:prompt() == 'ü 🦀 @greet/greet.go and `hello`' end, function() return nvim:prompt() end)
  nvim:type('?')
  nvim:type(' @g<C-x><C-o>')
  eventually('several completions are a menu', function() return nvim:get('vim.fn.pumvisible()') == 1 end)
  script:say('behind the menu\n\n')
  nvim:type('<C-n><C-p>')
  local open = nvim:get('vim.fn.pumvisible()') == 1
  nvim:type('<C-e><BS><BS><BS>')
  shows('behind the menu')
  check('the menu stays open while the answer goes on', open)
  check('behind what was typed', nvim:prompt() == 'ü 🦀 @greet/greet.go and `hello`?', nvim:prompt())
  script:finish()
  idle()
  local text = nvim:transcript()
  local complete = true
  for i = 1, 20 do
    complete = complete and select(2, text:gsub(('delta %d\n'):format(i), '')) == 1
  end
  check('what streamed in meanwhile is there, once', complete, text)
  eventually('what is attached is shown', function()
    local shown = nvim:shown()
    table.sort(shown)
    return vim.deep_equal(shown, { '· 16 lines', '· greet/greet.go#L14-L16' })
  end, function() return vim.inspect(nvim:shown()) end)
  nvim:type('<Esc><C-s>')
  asked()
  local question = script:question()
  check('and sent', question:find('func Greeting', 1, true) and question:find('func hello', 1, true), question)
  script:finish()
  idle()
end

local function attaching()
  nvim:type(':wincmd p<CR>:cd greet<CR>:edit greet.go<CR>6GVjj:Ploke ask<CR>why? ')
  check('a selection is mentioned in the prompt', nvim:prompt() == '@greet/greet.go#L6-L8 why? ', nvim:prompt())
  eventually('with its size', function() return vim.deep_equal(nvim:shown(), { '· 3 lines' }) end, function() return vim.inspect(nvim:shown()) end)
  nvim:type('<C-s>')
  nvim:type(':cd -<CR>')
  asked()
  local question = script:question()
  check('exactly its lines are sent', question:find('name = "world"', 1, true) and not question:find('return hello', 1, true) and not question:find('whole world', 1, true), question)
  script:finish()
  idle()
  nvim:type(':wincmd p<CR>:edit greet/greet.go<CR>15GV:Ploke ask and this?<CR>')
  asked()
  question = script:question()
  check('those of a question on the command line, too', question:find('return "Hello"', 1, true) and not question:find('func hello', 1, true) and not question:find('\n}', 1, true), question)
  shows('> and this?\n> @greet/greet.go#L15')
  script:finish()
  idle()
  nvim:type(':Ploke<CR>Gi@main.go stays, @greet/greet.go goes')
  eventually('two files are attached', function() return #nvim:shown() == 2 end, function() return vim.inspect(nvim:shown()) end)
  nvim:type('<Esc>F@D')
  eventually('deleting the words drops one', function() return vim.deep_equal(nvim:shown(), { '· 12 lines' }) end, function()
    return nvim:prompt() .. vim.inspect(nvim:shown())
  end)
  nvim:type('<CR>')
  asked()
  check('which is not sent then', script:question():find('package main', 1, true) and not script:question():find('package greet', 1, true), script:question())
  script:finish()
  idle()
  nvim:type('Giwhy #hello and #hellos?')
  eventually('the lines of a symbol are attached', function() return vim.deep_equal(nvim:shown(), { '· 3 lines' }) end, function() return vim.inspect(nvim:shown()) end)
  nvim:type('<Esc><C-s>')
  asked()
  check('and sent', script:question():find('func hello', 1, true) and not script:question():find('package greet', 1, true), script:question())
  script:finish()
  idle()
end

local function refused()
  vim.fn.writefile({ 'KEY=x' }, '.env')
  nvim:type('Gilook at<CR>@.env please')
  eventually('what can\'t be sent says why', function() return (nvim:shown()[1] or ''):find('secret') end, function() return vim.inspect(nvim:shown()) end)
  nvim:type('<C-s>')
  eventually('a refused message comes back', function() return nvim:prompt() == 'look at\n@.env please' end, function() return nvim:prompt() end)
  eventually('with the reason', function()
    return (nvim:get('_G.messages[#_G.messages]') or ''):find('secrets; the message is in the prompt again', 1, true)
  end, function() return vim.inspect(nvim:get('_G.messages')) end)
  check('and is not in the conversation', not nvim:transcript():find('look at', 1, true), nvim:transcript())
  clear()
end

--- A message that shall steer an answer is not lost with the server.
local function ending_server()
  clear()
  nvim:type('Giwhat now?<C-s>')
  asked()
  nvim:type(':Ploke steer rather this<CR>')
  nvim:lua([[
    for _, pid in ipairs(vim.api.nvim_get_proc_children(vim.fn.getpid())) do
      (vim.uv or vim.loop).kill(pid, 'sigkill')
    end
  ]])
  eventually('a message to a server that has ended comes back', function() return nvim:prompt() == 'rather this' end, function()
    return nvim:prompt() .. nvim:transcript()
  end)
  script.connection = nil
  clear()
end

local function restarting()
  clear()
  nvim:type('Gikept over a restart,<CR>`hello` too')
  nvim:type('<Esc>')
  local before = nvim:prompt()
  nvim:stop('kill')
  nvim = children.start(options)
  nvim:type(':edit main.go<CR>:Ploke<CR>')
  eventually('a draft outlives Neovim', function() return before:find('kept over', 1, true) and nvim:prompt() == before end, function()
    return nvim:prompt() .. vim.inspect(nvim:get('vim.api.nvim_get_mode()')) .. vim.inspect(nvim:get([[vim.fn.execute('messages')]]))
  end)
  nvim:lua("vim.o.updatetime = 50")
  nvim:type('Giand this')
  local draft = ('%s/ploke/draft-%s.json'):format(vim.fn.stdpath('data'), vim.fn.sha256(vim.fn.getcwd()):sub(1, 16))
  local function stored()
    local found, lines = pcall(vim.fn.readfile, draft) -- it comes and goes
    return found and lines[1] or ''
  end
  eventually('what is typed is kept while it is typed', function() return stored():find('and this', 1, true) end, stored)
  nvim:type('<C-o>:bdelete<CR><Esc>:Ploke<CR>')
  check('and the chat', nvim:prompt():find('and this', 1, true), nvim:prompt())
  clear()
  nvim:stop('quit')
  nvim = children.start(options)
  nvim:type(':edit main.go<CR>:Ploke<CR>')
  check('an empty prompt stays empty', nvim:prompt() == '', nvim:prompt())
  nvim:type('Gidamaged<Esc>')
  nvim:stop('kill')
  for _, damage in ipairs({ '{', '[]', '"text"', '{"text": 1}' }) do
    vim.fn.writefile({ damage }, draft)
    nvim = children.start(options)
    nvim:type(':edit main.go<CR>:Ploke<CR>')
    check('a draft that is damaged is left out: ' .. damage, nvim:prompt() == '' and nvim:get("vim.v.errmsg") == '', nvim:prompt() .. nvim:get('vim.v.errmsg'))
    nvim:stop('kill')
  end
  nvim = children.start(options)
end

t.run { writing, streaming, flushing, protecting, completing, attaching, refused, ending_server, restarting, function() nvim:stop('quit') end }
