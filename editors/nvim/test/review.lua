-- The review: hunks in the buffers, walking through them over all files, and deciding on them.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/proposing_model.lua')
local screen = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/review_screen.lua')
local check, eventually, text = t.check, t.eventually, t.text

model.use {
  ['be friendlier'] = {
    model.replace('greet/greet.go', '// An empty name greets the whole world.\n', ''),
    model.replace('greet/greet.go', 'return hello() + ", " + name + "!"', '// It is meant well.\n\treturn hello() + ", dear " + name + "!"'),
    model.replace('greet/greet.go', '// hello is', '// day is the time of day.\nconst day = "morning"\n\n// hello is'),
    model.replace('main.go', '"Ada"', '"Ada Lovelace"'),
    { 'create_file', { file = 'greet/bye.go', content = 'package greet\n\nfunc bye() string { return "Bye" }\n' } },
  },
  ['head it'] = { model.replace('main.go', 'package main\n', '// Command hello greets.\npackage main\n') },
}

vim.o.columns = 200 -- so that no line is wrapped

local messages = {}
vim.notify = function(message)
  table.insert(messages, message)
end

local function keys(typed)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(typed, true, true, true), 'xt', false)
end

local function marks()
  return screen.marks(vim.fn.bufnr('main.go'))
end

local function seen(path)
  return table.concat(screen.lines(vim.fn.bufnr(path)), '\n')
end

local function sees(what, path, expected)
  eventually(what, function()
    return seen(path):find(expected, 1, true)
  end, function()
    return seen(path) .. vim.inspect({ vim.g.ploke_status, messages })
  end)
end

local function status(text)
  eventually('the status line says ' .. text, function()
    return vim.g.ploke_status == text
  end, function()
    return vim.inspect({ vim.g.ploke_status, messages })
  end)
end

local function ask(question)
  vim.cmd('Ploke ask ' .. question)
end

local function in_the_buffer()
  vim.cmd('edit main.go')
  vim.cmd('edit greet/greet.go')
  t.indexed()
  vim.cmd('Ploke next')
  eventually('that nothing waits is said', function()
    return messages[1] and messages[1]:find('nothing waits for a decision', 1, true)
  end)
  ask('be friendlier')
  status('ploke 0/5')
  sees('a line that goes is marked', 'greet/greet.go', '\n-// An empty name greets the whole world.\n func Greeting')
  sees('lines that change stand below each other', 'greet/greet.go', [[

-        return hello() + ", " + name + "!"
+        // It is meant well.
+        return hello() + ", dear " + name + "!"
 }]])
  sees('lines that come stand where they come', 'greet/greet.go', '\n \n+// day is the time of day.\n+const day = "morning"\n+\n // hello is')
  sees('in a buffer that is hidden, too', 'main.go', '-        fmt.Println(greet.Greeting("Ada"))\n+        fmt.Println(greet.Greeting("Ada Lovelace"))')
  check('the text itself is as it was', not vim.bo.modified and not text('greet/greet.go'):find('dear'))
  local words = {}
  for _, mark in ipairs(marks()) do
    for _, chunk in ipairs((mark[4].virt_lines or { {} })[1]) do
      table.insert(words, chunk[2] == 'PlokeAddText' and chunk[1] or nil)
    end
  end
  check('only the new words are marked as new', vim.deep_equal(words, { ' Lovelace' }), vim.inspect(words))
end

--- Returns the virtual lines of a buffer, each as its text.
local function virtual(path)
  local lines = {}
  for _, mark in ipairs(screen.marks(vim.fn.bufnr(path))) do
    for _, chunks in ipairs(mark[4].virt_lines or {}) do
      table.insert(lines, table.concat(vim.tbl_map(function(chunk) return chunk[1] end, chunks)))
    end
  end
  return lines
end

local function in_a_narrow_window()
  local before = virtual('greet/greet.go')
  check('a tab is as wide as in the text', vim.startswith(before[1], '        // It is meant well.'), before[1])
  vim.cmd('vertical resize 24 | wincmd w | wincmd p') -- without a screen, Neovim reports no resize
  eventually('long lines are wrapped', function()
    return vim.tbl_contains(virtual('greet/greet.go'), '        return hello() +')
  end, function()
    return vim.inspect(virtual('greet/greet.go'))
  end)
  vim.cmd('vertical resize 100 | wincmd w | wincmd p')
  eventually('and no longer in a wider window', function()
    return vim.deep_equal(virtual('greet/greet.go'), before)
  end, function()
    return vim.inspect(virtual('greet/greet.go'))
  end)
end

local function at(path, line)
  eventually(('the cursor is in %s at %s'):format(path, line), function()
    return vim.endswith(vim.api.nvim_buf_get_name(0), path) and vim.api.nvim_get_current_line():find(line, 1, true)
  end, function()
    return vim.inspect({ vim.api.nvim_buf_get_name(0), vim.api.nvim_get_current_line(), messages })
  end)
end

local function walking()
  vim.cmd('normal! gg')
  keys(']k')
  at('greet/greet.go', '// An empty name')
  status('ploke 1/5')
  keys('2]k')
  at('greet/greet.go', '// hello is')
  keys('[k')
  at('greet/greet.go', 'return hello()')
  status('ploke 2/5')
  keys('2]k')
  at('main.go', 'fmt.Println')
  status('ploke 4/5')
  keys('[k')
  at('greet/greet.go', '// hello is')
  keys('<C-o>')
  at('main.go', 'fmt.Println')
  keys(']k')
  at('ploke://proposed/greet/bye.go', 'package greet')
  check('a new file opens as a diff', vim.wo.diff and #vim.api.nvim_tabpage_list_wins(0) == 2)
  check('with its file type', vim.bo.filetype == 'go')
  status('ploke 5/5')
  keys('gzd')
  check('which closes again', #vim.api.nvim_list_tabpages() == 1 and not vim.wo.diff)
  vim.cmd('edit greet/greet.go')
  vim.fn.search('return hello')
  keys('gze')
  at('ploke://proposed/greet/greet.go', '// It is meant well.')
  keys(']k')
  at('ploke://proposed/greet/greet.go', '// day is the time of day.')
  keys(']k')
  at('ploke://proposed/main.go', 'Println')
  keys('[k')
  at('ploke://proposed/greet/greet.go', '// day is the time of day.')
  keys('gzd')
  vim.cmd('Ploke next')
  check('the keys shadow no built-in ones', vim.fn.maparg('do', 'n') == '' and vim.fn.maparg('dp', 'n') == '')
end

local function deciding()
  vim.cmd('edit greet/greet.go')
  vim.fn.search('An empty name')
  keys('gza')
  eventually('the hunk is accepted', function()
    return not text('greet/greet.go'):find('An empty name')
  end)
  at('greet/greet.go', 'return hello()')
  status('ploke 1/4')
  keys('gzr')
  at('greet/greet.go', '// hello is')
  check('a rejected hunk leaves the text alone', text('greet/greet.go'):find('return hello() + ", " + name', 1, true))
  status('ploke 1/3')
  keys('u')
  sees('undoing what was accepted brings the line back', 'greet/greet.go', ' // An empty name greets the whole world.\n func')
  sees('the others follow', 'greet/greet.go', '\n \n+// day is the time of day.\n+const day = "morning"\n+\n // hello is')
  keys('<C-r>')
  sees('and redoing it takes the line away', 'greet/greet.go', 'user.\n func')
  vim.cmd('Ploke undo')
  sees(':Ploke undo brings the line back, too', 'greet/greet.go', ' // An empty name greets the whole world.\n func')
  eventually('and says so', function()
    return messages[#messages] == 'ploke: undone; :Ploke redo applies it again'
  end, function()
    return vim.inspect(messages)
  end)
  vim.cmd('Ploke redo')
  sees('and :Ploke redo takes it away', 'greet/greet.go', 'user.\n func')
  vim.fn.search('hello is')
  keys('gzA')
  eventually('a file is accepted', function()
    return text('greet/greet.go'):find('const day = "morning"', 1, true)
  end)
  at('main.go', 'Println')
  vim.cmd('Ploke accept all')
  eventually('the rest is accepted', function()
    return text('main.go'):find('Lovelace') and text('greet/bye.go'):find('func bye')
  end)
  t.settles('all that was accepted is there', 'partial')
  check('the new file has no line too many', text('greet/bye.go') == 'package greet\n\nfunc bye() string { return "Bye" }', text('greet/bye.go'))
  status('ploke')
  check('the keys are gone', vim.fn.maparg('gza', 'n') == '' and vim.fn.maparg(']k', 'n') == '')
  check('and so are the marks', #marks() == 0)
  t.save('nvim-review-accepted.txt', vim.fn.bufnr('greet/greet.go'))
end

local function at_the_top()
  vim.cmd('buffer main.go')
  ask('head it')
  sees('a line comes above the first one', 'main.go', '+// Command hello greets.\n package main')
  vim.cmd('normal! G')
  keys(']k')
  check('it is scrolled into view', vim.fn.winsaveview().topfill == 1, vim.inspect(vim.fn.winsaveview()))
  keys('gza')
  eventually('it is accepted', function()
    return vim.startswith(text('main.go'), '// Command hello greets.\npackage main')
  end)
  status('ploke')
end

t.run { in_the_buffer, in_a_narrow_window, walking, deciding, at_the_top }
