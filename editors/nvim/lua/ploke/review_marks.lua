--- Shows the hunks that wait in the buffers of their files: the lines that go are highlighted, the lines that come are virtual
--- lines below them. New text is never put into a buffer before it is accepted.

local keys = require('ploke.keys')
local line_diff = require('ploke.line_diff')
local review = require('ploke.review')
local place = require('ploke.review_place')
local virtual_line = require('ploke.virtual_line')

local M = {}

local namespace = vim.api.nvim_create_namespace('ploke.review')
local labels = {} -- buffer -> id of a hunk -> { mark, above }
local widths = {} -- buffer -> the width that its virtual lines were wrapped to

local function split(text)
  local lines = vim.split((text:gsub('\r\n', '\n'):gsub('\n$', '')), '\n', { plain = true })
  return text == '' and {} or lines
end

local comes = { line = 'PlokeAdd', word = 'PlokeAddText' }
local goes = { line = 'PlokeDelete', word = 'PlokeDeleteText' }
local unfit = { line = 'PlokeConflict', word = 'PlokeConflict' }

local function mark_line(bufnr, row, ranges, groups)
  vim.api.nvim_buf_set_extmark(bufnr, namespace, row, 0, { end_row = row + 1, end_col = 0, hl_group = groups.line, hl_eol = true, priority = 150 })
  local length = #vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1]
  for _, range in ipairs(ranges or {}) do
    if range[2] <= length then
      vim.api.nvim_buf_set_extmark(bufnr, namespace, row, range[1], { end_col = range[2], hl_group = groups.word, priority = 160 })
    end
  end
end

--- Shows virtual lines below their rows; those of -1 are above the first line. Those of one row are one mark, which keeps their order.
local function show_lines(bufnr, below)
  for row, lines in pairs(below) do
    vim.api.nvim_buf_set_extmark(bufnr, namespace, math.max(row, 0), 0, { virt_lines = lines, virt_lines_above = row < 0 })
  end
end

--- Shows a group of lines that go and of those that come instead.
local function draw_group(bufnr, first, group, old, new, groups)
  local gone = vim.list_slice(old, group.old, group.old + group.old_count - 1)
  local come = vim.list_slice(new, group.new, group.new + group.new_count - 1)
  local removed, added = line_diff.words(gone, come)
  local room = { tabstop = vim.api.nvim_buf_get_option(bufnr, 'tabstop'), width = widths[bufnr] }
  for i = 1, #gone do
    mark_line(bufnr, first + group.old - 2 + i, removed[i], groups.goes)
  end
  local lines = {}
  for i, text in ipairs(come) do
    vim.list_extend(lines, virtual_line.lines(text, added[i], groups.comes, room))
  end
  local last = #gone > 0 and group.old + group.old_count - 1 or group.old
  return first + last - 1, lines
end

--- Returns the keys for a hunk, the longest form first. One in conflict can not be accepted.
local function hints(hunk)
  local long, short = {}, {}
  local first = hunk.conflict and { 'edit-hunk', 'resolve' } or { 'accept-hunk', 'accept' }
  for _, action in ipairs({ first, { 'reject-hunk', 'reject' }, { 'review-next', 'next' } }) do
    local key = keys.first(action[1])
    table.insert(long, key and ('%s %s'):format(key, action[2]))
    table.insert(short, key)
  end
  return { table.concat(long, ', '), table.concat(short, ' '), keys.first('review-help') or '' }
end

--- Returns what stands behind a line of a hunk.
--- @param current ploke.Waiting|nil the hunk that has the keys, too, as far as there is room for them
--- @param room number in cells
local function label(waiting, current, room)
  local _, number = review.find(waiting.hunk.id)
  local words, short = { ('%d/%d'):format(number, #review.hunks()) }, nil
  if waiting.hunk.conflict then
    short = words[1] .. ' · in conflict'
    table.insert(words, 'in conflict: ' .. (waiting.file.reason or 'these lines have changed since'))
  elseif waiting.hunk.rename then
    table.insert(words, 'renames the file to ' .. waiting.file.newPath)
  elseif waiting.file.op == 'delete' then
    table.insert(words, 'deletes the file')
  end
  local text = table.concat(words, ' · ')
  for _, begins in ipairs(current == waiting and { text, short } or {}) do
    for _, hint in ipairs(hints(waiting.hunk)) do
      local both = begins .. ' · ' .. hint
      if hint ~= '' and vim.fn.strdisplaywidth(both) <= room then
        return both
      end
    end
  end
  return text
end

--- Puts the label of a hunk behind a row.
--- @param spot { row: number, above: boolean, mark: number|nil } above if the hunk only brings lines, above the row
local function show_label(bufnr, waiting, current, spot)
  local line = vim.api.nvim_buf_get_lines(bufnr, spot.row, spot.row + 1, false)[1] or ''
  local before = spot.above and '  ↑ ' or '  '
  local used = vim.api.nvim_buf_call(bufnr, function() return vim.fn.strdisplaywidth(line) end) -- with its tabs
  local room = virtual_line.free(bufnr, used) - vim.fn.strdisplaywidth(before) - 1
  local text = before .. label(waiting, current, room)
  spot.mark = vim.api.nvim_buf_set_extmark(bufnr, namespace, spot.row, 0, {
    id = spot.mark, virt_text = { { text, 'PlokeHint' } }, virt_text_pos = 'eol', priority = 200,
  })
  labels[bufnr][waiting.hunk.id] = spot
end

--- Shows one hunk, and adds the lines that come to those below their rows. Returns where its label is to be: behind the first line
--- that goes, or the line before which lines come.
local function draw_hunk(bufnr, waiting, at, below)
  local old, new = vim.api.nvim_buf_get_lines(bufnr, at.first, at.after, false), split(at.text)
  local groups = waiting.hunk.conflict and { goes = unfit, comes = unfit } or { goes = goes, comes = comes }
  local diff = line_diff.lines(old, new)
  if waiting.hunk.conflict then
    diff = { { old = math.min(1, #old), old_count = #old, new = 1, new_count = #new } }
  elseif waiting.hunk.rename then
    diff = {}
  end
  for _, group in ipairs(diff) do
    local row, lines = draw_group(bufnr, at.first, group, old, new, groups)
    below[row] = #lines > 0 and vim.list_extend(below[row] or {}, lines) or below[row]
  end
  local first = diff[1] or { old = 1, old_count = 1 }
  local row, last = at.first + first.old - (first.old_count > 0 and 1 or 0), vim.api.nvim_buf_line_count(bufnr) - 1
  return { row = math.min(row, last), above = first.old_count == 0 and row <= last }
end

--- Shows the hunks of a buffer anew.
--- @param bufnr number
function M.draw(bufnr)
  M.clear(bufnr)
  widths[bufnr] = virtual_line.width(bufnr)
  local below, current = {}, review.current()
  for _, at in ipairs(place.list(bufnr)) do
    local waiting = review.find(at.id)
    if waiting and at.text then
      show_label(bufnr, waiting, current, draw_hunk(bufnr, waiting, at, below))
    end
  end
  show_lines(bufnr, below)
end

--- Shows the label of a hunk anew if a buffer shows the hunk.
--- @param waiting ploke.Waiting
function M.relabel(bufnr, waiting)
  local spot = review.find(waiting.hunk.id) and (labels[bufnr] or {})[waiting.hunk.id]
  if spot then
    spot.row = vim.api.nvim_buf_get_extmark_by_id(bufnr, namespace, spot.mark, {})[1]
    show_label(bufnr, waiting, review.current(), spot)
  end
end

--- @return boolean whether the windows of a buffer have another width than when it was drawn
function M.is_outdated(bufnr)
  return widths[bufnr] ~= virtual_line.width(bufnr)
end

--- @return number how many virtual lines stand above the first line of a buffer
function M.above(bufnr)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, { 0, -1 }, { details = true })) do
    if mark[4].virt_lines_above then
      return #mark[4].virt_lines
    end
  end
  return 0
end

--- Hides the hunks of a buffer, for a diff that shows them.
function M.clear(bufnr)
  labels[bufnr] = {}
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
end

return M
