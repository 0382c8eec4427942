-- What the chat shows of answers, and what one does there: folds, colours, citations, motions, branches, models.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local children = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/child.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/model.lua')
local check, eventually = t.check, t.eventually

local script = model.script()
local price = { ['in'] = 1, out = 10 }
local nvim = children.start({
  cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
  settings = {
    model = 'scripted/model',
    providers = { scripted = { type = 'openai', baseUrl = script.url, models = { model = { price = price, contextTokens = 100000 }, other = { price = price }, deep = { price = price, efforts = { 'low', 'high' } } } } },
  },
})

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
  eventually('the turn ends', function() return nvim:get("require('ploke').status()") == 'ploke' end)
end

--- Asks, and answers with a text.
local function exchange(question, answer)
  nvim:type((':Ploke ask %s<CR>'):format(question))
  asked()
  script:say(answer)
  script:finish()
  shows('> ' .. question)
  idle()
end

--- Puts the cursor of the chat on the first line that contains a text.
local function go_to(text)
  nvim:type(':Ploke<CR>')
  nvim:lua("vim.fn.cursor(1, 1) vim.fn.search(..., 'cW')", '\\V' .. text)
end

local function told(pattern)
  eventually('it says: ' .. pattern, function()
    return (nvim:get('_G.messages[#_G.messages]') or ''):find(pattern)
  end, function() return vim.inspect(nvim:get('_G.messages')) end)
end

--- What is shown behind the first line that contains a text.
local function behind(text)
  return nvim:lua([[
    local buffer = require('ploke.chat_buffer')
    for i, line in ipairs(buffer.lines(0, buffer.border())) do
      if line:find(..., 1, true) then
        local words = {}
        for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer.get(), buffer.namespace, { i - 1, 0 }, { i - 1, -1 }, { details = true })) do
          table.insert(words, (mark[4].virt_text or { { '' } })[1][1])
        end
        return table.concat(words)
      end
    end
    return ''
  ]], text)
end

local function folding()
  nvim:type(':edit greet/greet.go<CR>:Ploke ask look around<CR>')
  asked()
  script:think('First I look.\nThen I think.')
  shows('┊ First I look.\n┊ Then I think.')
  check('what the model thinks is open while it thinks', nvim:lua("vim.cmd('Ploke') return vim.fn.foldclosed(vim.fn.search('First I look'))") == -1)
  nvim:type('G')
  script:call('c1', 'search_text', '{"pattern": "func"}')
  shows('› search_text: ')
  asked()
  script:call('c2', 'list_dir', '{"dir": "."}')
  shows('› list_dir: ')
  asked()
  script:say('There are two functions.')
  shows('There are two functions.')
  local first, last, text = unpack(nvim:lua([[
    local line = vim.fn.search('First I look', 'w')
    return { vim.fn.foldclosed(line), vim.fn.foldclosedend(line), vim.fn.foldtextresult(line) }
  ]]))
  check('steps that are over are folded', first > 0 and last == first + 3, ('%d-%d'):format(first, last))
  check('the fold says what they are', text == '› 3 steps: thought, search_text, list_dir', text)
  local colors = nvim:lua("vim.cmd('Ploke') return vim.wo.winhighlight")
  check('in the colour of steps', colors:find('Folded:PlokeStep', 1, true), colors)
  check('the answer is not', nvim:lua("return vim.fn.foldclosed(vim.fn.search('two functions', 'w'))") == -1)
  script:finish({ prompt_tokens = 12000, completion_tokens = 300, total_tokens = 12300 })
  idle()
  eventually('tokens, cost and context are shown below the answer', function()
    local space = nvim:lua([[
      local buffer = require('ploke.chat_buffer')
      local marks = vim.api.nvim_buf_get_extmarks(buffer.get(), buffer.namespace, { buffer.border() - 1, 0 }, { buffer.border() - 1, -1 }, { details = true })
      return vim.inspect(marks)
    ]])
    return space:find('scripted/model · 12.0k + 300 tokens · $0.0150 · 13 % of the context', 1, true)
  end, function() return nvim:lua([[
      local buffer = require('ploke.chat_buffer')
      return vim.inspect(vim.api.nvim_buf_get_extmarks(buffer.get(), buffer.namespace, { buffer.border() - 3, 0 }, { buffer.border() - 1, -1 }, { details = true }))]]) end)
  go_to('› search_text')
  nvim:type('zo<CR>')
  eventually('Enter on a tool call shows what it was given and returned', function()
    local shown = nvim:get("table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')")
    return shown:find('# search_text', 1, true) and shown:find('"pattern": "func"', 1, true) and shown:find('func Greeting', 1, true)
  end, function() return nvim:get("table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')") end)
  nvim:type('q')
end

local function reopening()
  nvim:lua("vim.ui.select = function(items, _, choose) choose(items[1], 1) end")
  local before = nvim:transcript()
  nvim:lua("vim.cmd('bdelete ' .. vim.fn.bufnr('^ploke://chat$'))")
  nvim:type(':Ploke list<CR>')
  eventually('a stored answer is shown as it was', function() return nvim:transcript() == before end, function() return before .. '\n---\n' .. nvim:transcript() end)
  eventually('with its folds', function() return nvim:lua("return vim.fn.foldclosed(vim.fn.search('First I look', 'w'))") > 0 end)
  nvim:type(':new<CR>')
  nvim:lua("vim.cmd('buffer ' .. vim.fn.bufnr('^ploke://chat$'))")
  check('in another window, too', nvim:lua("return vim.fn.foldclosed(vim.fn.search('First I look', 'w'))") > 0)
  nvim:type(':close<CR>')
end

--- The names of the colours at the first place of a text, by the syntax and by Tree-sitter.
local function colours(text)
  return nvim:lua([[
    vim.cmd('Ploke')
    vim.fn.cursor(1, 1)
    local line, col = unpack(vim.fn.searchpos('\\V' .. ..., 'cW'))
    vim.cmd('redraw')
    local names = {}
    for _, id in ipairs(vim.fn.synstack(line, col)) do
      table.insert(names, vim.fn.synIDattr(vim.fn.synIDtrans(id), 'name'))
    end
    local space = vim.api.nvim_get_namespaces()['ploke.chat.code']
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, space, { line - 1, 0 }, { line - 1, col - 1 }, { details = true })) do
      if mark[4].end_col >= col then
        table.insert(names, mark[4].hl_group)
      end
    end
    return table.concat(names, ' ')
  ]], text)
end

local function colouring()
  exchange('show colours', 'Call snake_case_name and my_tool_.\n\nThe key is sk-*** here.\n\nPlain words stay plain.\n\n'
    .. '## Heading\n\n**bold** `code`\n\n```go\nfunc blue() string { return "text" }\n```\n\n```lua\nlocal x = "lua text"\n```\n\nAfter *** the code.\n\n')
  shows('After *** the code.')
  for _, plain in ipairs({ '_case_name', '_tool_', '*** here', 'here.', 'Plain words', 'After ***' }) do
    check(plain .. ' is plain text', colours(plain) == '', colours(plain))
  end
  for text, group in pairs({ Heading = 'Title', bold = 'plokeBold', code = 'Special' }) do
    check(text .. ' is coloured', colours(text):find(group, 1, true), colours(text))
  end
  check('a code block without a parser has its syntax', colours('"text"'):find('goBlock Constant', 1, true) or colours('"text"'):find('goBlock String', 1, true), colours('"text"'))
  local parses = vim.fn.has('nvim-0.9') == 1 and #vim.api.nvim_get_runtime_file('parser/lua.*', false) > 0
  local lua_text = colours('"lua text"')
  check('one with a parser is parsed', lua_text:find(parses and '@string.lua' or 'Constant', 1, true), lua_text)
  check('the question has its colour', nvim:lua([[
    local buffer = require('ploke.chat_buffer')
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer.get(), buffer.namespace, 0, -1, { details = true })) do
      if mark[4].hl_group == 'PlokeQuestion' then return true end
    end
  ]]))
end

--- The first line that contains a text as the screen shows it, without what is concealed.
local function on_screen(text)
  return nvim:lua([[
    vim.cmd('Ploke')
    vim.fn.cursor(1, 1)
    local line = vim.fn.search('\\V' .. ..., 'cW')
    vim.cmd('normal! zt')
    vim.cmd('redraw')
    local shown = ''
    local words = vim.fn.getline(line)
    local col = 1
    while col <= #words do
      local hidden = vim.fn.synconcealed(line, col)
      if hidden[1] == 0 then
        shown = shown .. words:sub(col, col)
      end
      col = col + 1
    end
    return shown
  ]], text)
end

local function rendering()
  local long = 'https://example.org/' .. ('long/'):rep(40)
  exchange('show links', ('See [a.go:1](x/a.go#L1) and [b](%s) and more text.\n\nAn ![image](%s) here, `[no](link)` there.\n\n'):format(long, long)
    .. '~~~\n[code](stays)\n~~~\n\nThis is ~~gone~~, __strong__ and _weak_, not snake_case_name.\n\n> quoted\n\n| a | `b` |\n|---|---|\n| `long cell` | c |\n\nDone.')
  shows('Done.')
  eventually('the words of links stay, and all that is behind them', function() return on_screen('See ') == 'See a.go:1 and b and more text.' end, function() return on_screen('See ') end)
  check('an address takes no room in the line', nvim:lua("return #vim.fn.getline(vim.fn.search('See ', 'w'))") < 40, nvim:transcript())
  check('a picture is its words', on_screen('An image') == 'An image here, [no](link) there.', on_screen('An '))
  check('code is left alone', nvim:transcript():find('~~~\n[code](stays)\n~~~', 1, true), nvim:transcript())
  check('marks of emphasis are hidden', on_screen('This is') == 'This is gone, strong and weak, not snake_case_name.', on_screen('This is'))
  for text, group in pairs({ gone = 'plokeStruck', strong = 'plokeBold', weak = 'plokeItalic', quoted = 'Comment' }) do
    check(text .. ' is coloured', colours(text):find(group, 1, true), colours(text))
  end
  check('a table keeps its columns', on_screen('| a') == '| a | `b` |', on_screen('| a'))
  nvim:lua("vim.ui.open = function(address) _G.opened = address end")
  go_to('and more text')
  nvim:lua("vim.fn.search('b and more', 'bcW', vim.fn.line('.'))")
  nvim:type('<CR>')
  eventually('Enter on a link opens its address', function() return nvim:get('_G.opened') == long end, function() return vim.inspect(nvim:get('_G.messages')) end)
end

local function breaking_off()
  nvim:type(':Ploke ask stop in code<CR>')
  asked()
  script:say('```go\nfunc half() {')
  shows('func half() {')
  nvim:type(':Ploke stop<CR>')
  shows('func half() {\n```')
  script.connection = nil
  shows('· stopped')
end

local function citing()
  t.indexed()
  nvim:type(':edit greet/greet.go<CR>:Ploke ask where is it?<CR>')
  asked()
  local path = vim.fn.getcwd() .. '/greet/greet.go'
  script:say(('It is here.\n\n<code="%s" #14:16>\nfunc hello() string {\n\treturn "Hello"\n}\n</code>\n\nThat is all.'):format(path))
  script:finish()
  idle()
  shows('greet/greet.go:14-16')
  for _, key in ipairs({ 'gd', 'gf', '<CR>' }) do
    go_to('greet/greet.go:14-16')
    nvim:type(key)
    check(key .. ' opens the cited place', nvim:get("vim.fn.expand('%:t')") == 'greet.go' and nvim:get("vim.fn.line('.')") == 14,
      nvim:get("vim.fn.expand('%') .. ':' .. vim.fn.line('.')"))
  end
  go_to('return "Hello"')
  nvim:type('gd')
  check('so does a line of the quoted code', nvim:get("vim.fn.expand('%:t')") == 'greet.go')
  go_to('return "Hello"')
  nvim:type('gy')
  check('gy yanks the code block', nvim:get("vim.fn.getreg('\"')") == 'func hello() string {\n\treturn "Hello"\n}\n', nvim:get("vim.fn.getreg('\"')"))
  nvim:type('"cgy')
  check('into the register that is given', nvim:get("vim.fn.getreg('c')"):find('func hello', 1, true))
  go_to('That is all')
  nvim:type('gy')
  told('no code block')
  nvim:type('gd')
  told('no place is cited here')
end

--- The texts of the names that are marked as leading to code.
local function marked()
  return nvim:lua([[
    local buffer, texts = require('ploke.chat_buffer').get(), {}
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, vim.api.nvim_get_namespaces()['ploke.chat.names'], 0, -1, { details = true })) do
      if mark[4].hl_group == 'PlokeName' then
        table.insert(texts, vim.api.nvim_buf_get_lines(buffer, mark[2], mark[2] + 1, false)[1]:sub(mark[3] + 1, mark[4].end_col))
      end
    end
    return texts
  ]])
end

--- What an answer names leads to it, even if it cites nothing.
local function names()
  exchange('name some', 'Look at main.go:10 and `greet.go`, at `greet.Greeting(name)`, `hello`, `greet.hello` and `nothing`.\n\n```\nsee `hello`\n```\n'
    .. 'Not none/main.go, [a link](http://a.b), main.go, `go test ./main.go` or `Hello`.')
  shows('`Hello`.')
  local leading = { 'main.go:10', 'greet.go', 'greet.Greeting(name)', 'hello', 'greet.hello', './main.go' }
  eventually('names that lead to code look like links', function() return vim.deep_equal(marked(), leading) end, function() return vim.inspect(marked()) end)
  for text, place in pairs({ ['ain.go:10'] = 'main.go:10', ['reet.go'] = 'greet.go:1', ['Greeting(name)'] = 'greet.go:6', ['ello'] = 'greet.go:14', ['.hello'] = 'greet.go:14' }) do
    go_to('Look at main.go')
    nvim:lua(("vim.fn.search('\\\\V%s', '', vim.fn.line('.'))"):format(text))
    nvim:type('gd')
    eventually(text .. ' leads to ' .. place, function()
      return nvim:get("vim.fn.expand('%:t') .. ':' .. vim.fn.line('.')") == place
    end, function() return nvim:get("vim.fn.expand('%') .. ':' .. vim.fn.line('.')") .. vim.inspect(nvim:get('_G.messages')) end)
  end
  go_to('nothing')
  nvim:type('<CR>')
  told('the index has nothing named nothing')
  exchange('link and name', 'See [greet/greet.go](greet/greet.go#L14), which main.go:10 calls.')
  eventually('also beside a link', function() return marked()[#leading + 1] == 'main.go:10' end, function() return vim.inspect(marked()) end)
  go_to('calls.')
  nvim:type('Fm')
  nvim:type('gd')
  eventually('where the name is followed', function() return nvim:get("vim.fn.expand('%:t') .. ':' .. vim.fn.line('.')") == 'main.go:10' end,
    function() return nvim:transcript() end)
end

local function walking()
  local function question()
    return nvim:get("vim.api.nvim_get_current_line()")
  end
  nvim:type(':Ploke<CR>gg')
  nvim:type(']]')
  check(']] goes to the next question', question() == '> show colours', question())
  nvim:type('4]]')
  check('with a count', question() == '> name some', question())
  nvim:type('2]]')
  check('from the last one to the prompt', nvim:get("require('ploke.chat_buffer').in_prompt(vim.fn.line('.') - 1)"), question())
  nvim:type('[[')
  check('[[ goes back', question() == '> link and name', question())
  nvim:type('9[[')
  check('at most to the first one', question() == '> look around', question())
end

local function retrying()
  nvim:type(':Ploke new<CR>')
  exchange('alpha', 'first alpha')
  exchange('beta', 'first beta')
  nvim:type(':Ploke retry<CR>')
  asked()
  check('retry asks the last question again', script:question():find('beta', 1, true) and not vim.inspect(script.requests[#script.requests]):find('first beta', 1, true), script:question())
  script:say('second beta')
  script:finish()
  shows('second beta')
  idle()
  check('in the place of the old answer', not nvim:transcript():find('first beta', 1, true) and select(2, nvim:transcript():gsub('> beta', '')) == 1 and nvim:transcript():find('first alpha', 1, true), nvim:transcript())
  eventually('the question says that it has branches', function() return behind('> beta') == '· branch 2 of 2' end, function() return behind('> beta') end)
  nvim:lua("vim.ui.select = function(items, options, choose) _G.offered = vim.tbl_map(options.format_item, items) choose(items[1], 1) end")
  nvim:type(':Ploke branch<CR>')
  shows('first beta')
  check('the branches are offered', #nvim:get('_G.offered') == 2 and nvim:get('_G.offered[1]'):find('→ first beta', 1, true) and nvim:get('_G.offered[2]'):find('→ second beta.*%(shown%)$'), vim.inspect(nvim:get('_G.offered')))
  eventually('the other branch says so', function() return behind('> beta') == '· branch 1 of 2' end, function() return behind('> beta') end)
  exchange('gamma', 'gamma goes on')
  check('it goes on there', nvim:transcript():find('first beta', 1, true) and vim.inspect(script.requests[#script.requests]):find('first beta', 1, true), nvim:transcript())
end

local function revising()
  go_to('> alpha')
  nvim:lua("require('ploke.chat_prompt').set('my draft')")
  go_to('> alpha')
  nvim:type(':Ploke revise<CR>')
  eventually('an earlier question is in the prompt', function() return nvim:prompt() == 'alpha' end, function() return nvim:prompt() end)
  nvim:type('<Esc>:Ploke revise<CR>')
  check('it can be taken back, and the draft is there again', nvim:prompt() == 'my draft', nvim:prompt())
  go_to('> alpha')
  nvim:type(':Ploke revise<CR>')
  eventually('it is in the prompt again', function() return nvim:prompt() == 'alpha' end, function() return nvim:prompt() end)
  nvim:type('bet<C-s>')
  asked()
  check('the new question is the first one', #vim.tbl_filter(function(m) return m.role == 'user' end, script.requests[#script.requests].messages) == 1, vim.inspect(script.requests[#script.requests].messages))
  script:say('letters')
  script:finish()
  shows('> alphabet')
  shows('letters')
  idle()
  check('in a conversation without what followed the old one', not nvim:transcript():find('beta\n', 1, true), nvim:transcript())
  check('the draft is there', nvim:prompt() == 'my draft', nvim:prompt())
  nvim:lua("require('ploke.chat_prompt').set('')")
end

local function choosing_a_model()
  nvim:lua([[
    vim.ui.select = function(items, options, choose)
      _G.offered = vim.tbl_map(options.format_item, items)
      for i, item in ipairs(items) do
        if item.id == 'scripted/other' then choose(item, i) end
      end
    end
  ]])
  nvim:type(':Ploke model<CR>')
  told('scripted/other answers from now on')
  check('models are offered with their prices', table.concat(nvim:get('_G.offered'), '\n'):find('scripted/model · 100k tokens · $1 in, $10 out per million', 1, true), vim.inspect(nvim:get('_G.offered')))
  exchange('who are you?', 'the other')
  check('the chosen model answers', script.requests[#script.requests].model == 'other', script.requests[#script.requests].model)
  check('the prompt names it', nvim:lua([[
    local buffer = require('ploke.chat_buffer')
    return vim.inspect(vim.api.nvim_buf_get_extmarks(buffer.get(), buffer.namespace, { buffer.border(), 0 }, { buffer.border(), -1 }, { details = true }))
  ]]):find('Ask scripted/other', 1, true))
  nvim:lua([[
    vim.ui.select = function(items, options, choose)
      _G.offered = vim.tbl_map(options.format_item, items)
      for i, item in ipairs(items) do
        if item.id == 'scripted/deep' or item == 'scripted/deep#high' then choose(item, i) end
      end
    end
  ]])
  nvim:type(':Ploke model<CR>')
  told('scripted/deep#high answers from now on')
  check('a model that has efforts is chosen with one', table.concat(nvim:get('_G.offered'), ' ') == 'as the model does by default low high', vim.inspect(nvim:get('_G.offered')))
  exchange('and you?', 'the deep one')
  local request = script.requests[#script.requests]
  check('the request has the effort', request.model == 'deep' and request.reasoning_effort == 'high', vim.inspect({ request.model, request.reasoning_effort }))
  nvim:type(':Ploke model<CR>')
  eventually('the chosen effort is marked', function() return table.concat(nvim:get('_G.offered'), ' ') == 'as the model does by default low high  (in use)' end, function() return vim.inspect(nvim:get('_G.offered')) end)
  nvim:type(':Ploke model scripted/model<CR>')
  told('scripted/model answers from now on')
end

t.run { folding, reopening, colouring, rendering, breaking_off, citing, names, walking, retrying, revising, choosing_a_model, function() nvim:stop('quit') end }
