--- What a person sees of the review, and how they walk through it: the hunks in the buffers, their keys, and "2/5" in the status line.

local keys = require('ploke.keys')
local marks = require('ploke.review_marks')
local place = require('ploke.review_place')
local review = require('ploke.review')
local say = require('ploke.say')
local status = require('ploke.status')

local M = {}

local watching = false
local with_keys = {} -- set of the file buffers that have the keys of the review
local shown = {} -- buffer -> true: a diff shows its hunks
local current -- the hunk that the labels and the status line name

local function show_status()
  local total = #review.hunks()
  local _, number = review.current()
  status.review(total > 0 and ('%d/%d'):format(number or 0, total) or nil)
end

local function draw(bufnr)
  if shown[bufnr] then
    marks.clear(bufnr)
  else
    marks.draw(bufnr)
  end
end

--- Gives the keys to the buffers with hunks. They keep them until nothing waits any more.
local function set_keys()
  for _, bufnr in ipairs(place.buffers()) do
    if not with_keys[bufnr] and #place.list(bufnr) > 0 then
      with_keys[bufnr] = true
      keys.attach(bufnr, 'review')
    end
  end
  if #review.hunks() == 0 then
    for bufnr in pairs(with_keys) do
      keys.detach(bufnr, 'review')
    end
    with_keys = {}
  end
end

local function show()
  set_keys()
  for _, bufnr in ipairs(place.buffers()) do
    draw(bufnr)
  end
  current = review.current()
  show_status()
  require('ploke.proposal_diff').refresh()
  require('ploke.review_list').refresh()
end

--- Says which hunk is at the cursor, and fits what is shown to the windows.
local function moved()
  local before, now = current, review.current()
  current = now
  if now ~= before then
    show_status()
  end
  for _, bufnr in ipairs(place.buffers()) do
    if marks.is_outdated(bufnr) then
      draw(bufnr)
    end
    for _, one in pairs(now ~= before and { before, now } or {}) do
      marks.relabel(bufnr, one)
    end
  end
end

--- Hides the hunks of a file buffer while a diff shows them, or shows them again.
--- @param hidden boolean
function M.hide(bufnr, hidden)
  shown[bufnr] = hidden or nil
  if vim.api.nvim_buf_is_loaded(bufnr) then
    draw(bufnr)
  end
end

local function window_of(bufnr)
  local here = vim.api.nvim_get_current_win()
  for _, win in ipairs(vim.list_extend({ here }, vim.api.nvim_tabpage_list_wins(0))) do
    if vim.api.nvim_win_get_buf(win) == bufnr then
      return win
    end
  end
  for _, win in ipairs(vim.list_extend({ here }, vim.api.nvim_tabpage_list_wins(0))) do
    if vim.api.nvim_buf_get_option(vim.api.nvim_win_get_buf(win), 'buftype') == '' then
      return win
    end
  end
  vim.cmd('topleft vsplit')
  return vim.api.nvim_get_current_win()
end

--- Shows virtual lines above the first line, which a window at the top of its buffer does not show by itself.
local function show_top(bufnr)
  local count = marks.above(bufnr)
  if count > 0 and vim.fn.line('w0') == 1 then
    vim.fn.winrestview({ topline = 1, topfill = count })
  end
end

--- Scrolls so that the lines that go and those that come are in the window, if they fit.
local function show_whole(waiting)
  local function count(text)
    return select(2, text:gsub('\n', '')) + 1
  end
  local lines = count(waiting.hunk.oldText) + count(waiting.hunk.newText)
  if vim.fn.winline() + lines > vim.api.nvim_win_get_height(0) then
    vim.cmd('normal! ' .. (lines > vim.api.nvim_win_get_height(0) / 2 and 'zt' or 'zz'))
  end
end

local function show_in_file(waiting)
  local bufnr = place.buffer_of(waiting.file.uri)
  vim.cmd("normal! m'") -- so that CTRL-O comes back
  vim.api.nvim_set_current_win(window_of(bufnr))
  if vim.api.nvim_get_current_buf() ~= bufnr then
    vim.api.nvim_win_set_buf(0, bufnr)
  end
  local row = place.row(bufnr, waiting.hunk.id) or waiting.hunk.range.start.line
  vim.api.nvim_win_set_cursor(0, { math.min(row + 1, vim.api.nvim_buf_line_count(bufnr)), 0 })
  vim.cmd('normal! zv')
  show_whole(waiting)
  show_top(bufnr)
end

--- Shows a hunk in its file, or in the diff if the person looks at one, or if there is no such file.
--- @param waiting ploke.Waiting
--- @param in_diff boolean|nil whether they looked at one that is closed by now
function M.show(waiting, in_diff)
  review.visit(waiting)
  local diff = require('ploke.proposal_diff')
  if in_diff or diff.is_open() or waiting.file.op == 'create' or waiting.file.reason then
    diff.open(waiting)
  else
    show_in_file(waiting)
  end
  moved()
end

--- Returns the number of the first hunk at or behind the cursor in this buffer, or of the last one before it.
local function neighbour(by)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local found
  for _, at in ipairs(place.list(vim.api.nvim_get_current_buf())) do
    if by > 0 and at.first >= row and not found or by < 0 and at.first <= row then
      found = select(2, review.find(at.id))
    end
  end
  return found
end

local function step(by)
  local hunks = review.hunks()
  if #hunks == 0 then
    local asked = require('ploke.permission').is_asked()
    say.info('nothing waits for a decision; what an answer proposes does once it has ended'
      .. (asked and ', and it asks for permission: :Ploke allow or :Ploke deny' or ''))
    return
  end
  local here = review.at_cursor()
  local near = not here and neighbour(by)
  local _, number = review.current()
  local from = here and number or near and (by > 0 and near - 1 or near + 1) or number or (by > 0 and 0 or 1)
  M.show(hunks[(from + by - 1) % #hunks + 1])
end

--- Shows the hunk that is so many places behind the one at the cursor. The first one follows the last.
--- @param by number negative to go back
function M.step(by)
  if #review.hunks() > 0 then
    step(by)
    return
  end
  require('ploke.client').with(function(server) -- the news that something waits may be on its way
    review.refresh(server, function()
      step(by)
    end)
  end)
end

--- Shows what has changed in the review, and says where the cursor is in it, from now on.
function M.watch()
  if watching then
    return
  end
  watching = true
  require('ploke.highlights').define()
  review.listen(show)
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'BufEnter', 'WinEnter', 'WinScrolled' }, {
    group = vim.api.nvim_create_augroup('ploke.review', {}), callback = moved,
  })
end

return M
