-- Accepting, rejecting, typing and undoing in any order. After each step the screen promises a text, and accepting all ends in it.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/proposing_model.lua')
local screen = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/review_screen.lua')
local check, eventually = t.check, t.eventually
local review = require('ploke.review')

vim.notify = function() end
vim.o.columns = 200 -- so that no line is wrapped

-- The text has repeated and adjacent lines, and characters that are longer in UTF-8 than in UTF-16.
local lines = {}
for i = 1, 12 do
  vim.list_extend(lines, { ('func f%d() string {'):format(i), '\treturn "größe 😀"', '}', '' })
end

local function edits(round)
  local calls = {}
  for i = 1, 12, 2 do
    local name = ('func f%d() string {\n'):format(i)
    table.insert(calls, model.replace('many.go', name, ('// f%d is “%d”.\nfunc g%d() string {\n'):format(i, round, i)))
  end
  table.insert(calls, model.replace('many.go', 'package many\n', ('// Round %d.\npackage many\n'):format(round)))
  return calls
end

local scripts = {}
for round = 1, 4 do
  scripts[('round %d.'):format(round)] = edits(round)
end
model.use(scripts)

local function keys(typed)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(typed, true, true, true), 'xt', false)
end

local function server()
  return require('ploke.client').running()[1]
end

local function answered()
  for _, request in pairs(server().client.requests) do
    if request.type == 'pending' then
      return false
    end
  end
  return true
end

--- Waits until nothing is under way, and the screen shows an answer about the text as it is.
local function settle()
  local fresh
  vim.wait(20000, function()
    if not answered() then
      return false
    end
    local tick, done = vim.api.nvim_buf_get_changedtick(0), nil
    review.refresh(server(), function() done = true end)
    fresh = vim.wait(5000, function() return done end, 5) and answered() and tick == vim.api.nvim_buf_get_changedtick(0)
    return fresh
  end, 5)
  return fresh
end

local function random_row()
  return math.random(vim.api.nvim_buf_line_count(0))
end

local function at_hunk(typed)
  return function()
    local all = review.hunks()
    if #all > 0 then
      vim.cmd('Ploke next ' .. math.random(#all))
      keys(typed)
    end
  end
end

local steps = {
  accept = at_hunk('gza'),
  reject = at_hunk('gzr'),
  type_above = function() vim.api.nvim_win_set_cursor(0, { random_row(), 0 }) keys('Otyped<Esc>') end,
  type_behind = function() vim.api.nvim_win_set_cursor(0, { random_row(), 0 }) keys('A // ü 😀<Esc>') end,
  delete = function() vim.api.nvim_win_set_cursor(0, { random_row(), 0 }) keys('dd') end,
  undo = function() keys('u') end,
  redo = function() keys('<C-r>') end,
  take_back = function() vim.cmd('Ploke undo') end,
  apply_again = function() vim.cmd('Ploke redo') end,
}
local names = vim.tbl_keys(steps)
table.sort(names)

--- What the text becomes if the server's answer is applied to it.
local function expected()
  local text = vim.api.nvim_buf_get_lines(0, 0, -1, false)
  local hunks = review.hunks()
  for i = #hunks, 1, -1 do
    local hunk = hunks[i].hunk
    if not hunk.conflict then
      local new = vim.split(hunk.newText, '\n', { plain = true })
      table.remove(new)
      for _ = hunk.range.start.line + 1, hunk.range['end'].line do
        table.remove(text, hunk.range.start.line + 1)
      end
      for n, line in ipairs(new) do
        table.insert(text, hunk.range.start.line + n, line)
      end
    end
  end
  return table.concat(text, '\n'):gsub('\t', '        '):gsub(' +\n', '\n')
end

local function joined(list)
  return (table.concat(list, '\n'):gsub(' +\n', '\n'))
end

--- @param pause number after how many steps the person waits
local function play(round, pause)
  math.randomseed(round)
  vim.fn.writefile(vim.list_extend({ 'package many', '' }, lines), 'many.go')
  vim.cmd('edit! many.go')
  vim.cmd(('Ploke ask round %d.'):format(round))
  eventually(('round %d is proposed'):format(round), function() return #review.hunks() == 7 end, t.chat_text)
  local played = {}
  for step = 1, 12 do
    local name = names[math.random(#names)]
    table.insert(played, name)
    steps[name]()
    if step % pause == 0 and (not settle() or joined(screen.promised(0)) ~= expected()) then
      check('the screen shows what waits after ' .. table.concat(played, ', '), false, joined(screen.lines(0)) .. '\n--- expected\n' .. expected())
      return
    end
  end
  local promised = joined(screen.promised(0))
  vim.cmd('Ploke accept all')
  settle()
  check('accepting all ends in what the screen showed, after ' .. table.concat(played, ', '), joined(screen.text(0)) == promised,
    joined(screen.text(0)) .. '\n--- promised\n' .. promised)
  vim.cmd('Ploke reject')
  settle()
end

local function begin()
  vim.cmd('edit greet/greet.go')
  t.indexed()
end

t.run { begin, function() play(1, 1) end, function() play(2, 1) end, function() play(3, 4) end, function() play(4, 4) end }
