-- Decisions on proposals that a second turn amends between what the person sees and the answer. The news is held back, as on a slow
-- connection.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/proposing_model.lua')
local screen = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/review_screen.lua')
local check, eventually = t.check, t.eventually
local review = require('ploke.review')

local messages = {}
vim.notify = function(message)
  table.insert(messages, message)
end

local function keys(typed)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(typed, true, true, true), 'xt', false)
end

local function told()
  return vim.inspect({ screen.lines(0), messages, vim.g.ploke_status, vim.api.nvim_buf_get_name(0) })
end

local function shows(expected)
  eventually('the screen shows ' .. table.concat(expected, ' | '), function()
    return vim.deep_equal(screen.lines(0), expected)
  end, told)
end

local function diff_opens()
  vim.cmd('Ploke edit')
  eventually('the diff opens', function() return vim.wo.diff end, told)
end

-- Of each way to decide: what opens it, what decides, and the lines of the file after it was done again.
local ways = {
  { name = 'key', decide = function() keys('gza') end, lines = { 'one', 'evil' } },
  { name = 'command', decide = function() vim.cmd('Ploke accept') end, lines = { 'one', 'evil' } },
  { name = 'rejection', decide = function() vim.cmd('Ploke reject') end, lines = { 'one', 'two' } },
  { name = 'diff', open = diff_opens, decide = function() keys('gza') end, lines = { 'one', 'evil' } },
}

local scripts = {}
for _, way in ipairs(ways) do
  way.file = way.name .. '.txt'
  vim.fn.writefile({ 'one', 'two' }, way.file)
  scripts['propose ' .. way.name] = { model.replace(way.file, 'two', 'good') }
  scripts['amend ' .. way.name] = { model.replace(way.file, 'good', 'evil') }
end
model.use(scripts)

--- Has a second turn amend the proposal that is shown, and returns what lets the news come.
local function amend(way)
  local refresh = review.refresh
  review.refresh = function() end
  vim.cmd('Ploke ask amend ' .. way.name)
  eventually('it is amended', function()
    return t.answered('amend ' .. way.name) and t.idle()
  end, function() return t.chat_text() end)
  return function() review.refresh = refresh end
end

local function in_file(way)
  vim.cmd('edit ' .. way.file)
  vim.api.nvim_win_set_cursor(0, { 2, 0 })
  way.bufnr = vim.api.nvim_get_current_buf()
end

local function decided_twice(way)
  in_file(way)
  vim.cmd('Ploke ask propose ' .. way.name)
  in_file(way)
  shows { ' one', '-two', '+good' }
  if way.open then
    way.open()
  end
  local window = vim.api.nvim_get_current_win()
  local news = amend(way)
  vim.api.nvim_set_current_win(window)
  messages = {}
  news()
  way.decide()
  eventually(way.name .. ' is refused', function()
    return vim.tbl_contains(messages, 'ploke: the proposal has changed; look again')
  end, told)
  check('nothing is written', vim.deep_equal(t.lines(way.bufnr), { 'one', 'two' }), told())
  review.refresh(require('ploke.client').running()[1])
  shows(way.open and { ' one', ' evil' } or { ' one', '-two', '+evil' })
  way.decide()
  eventually('after another look it is decided on', function()
    return #review.hunks() == 0 and vim.deep_equal(t.lines(way.bufnr), way.lines)
  end, told)
end

local function all()
  vim.cmd('edit main.go')
  t.indexed()
  for _, way in ipairs(ways) do
    decided_twice(way)
  end
end

t.run { all }
