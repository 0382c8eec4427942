--- Shows the hunks that wait in the buffers of their files: the lines that go are highlighted, the lines that come are virtual
--- lines below them. New text is never put into a buffer before it is accepted.

local keys = require('ploke.keys')
local line_diff = require('ploke.line_diff')
local review = require('ploke.review')
local place = require('ploke.review_place')

local M = {}

local namespace = vim.api.nvim_create_namespace('ploke.review')

local function split(text)
  local lines = vim.split((text:gsub('\r\n', '\n'):gsub('\n$', '')), '\n', { plain = true })
  return text == '' and {} or lines
end

--- Returns text with tabs expanded, as it is shown from a column on, and its width.
local function expanded(text, column, tabstop)
  local out = {}
  for part, tab in text:gmatch('([^\t]*)(\t?)') do
    local width = vim.fn.strdisplaywidth(part)
    local fill = tab == '' and 0 or tabstop - (column + width) % tabstop
    table.insert(out, part .. (' '):rep(fill))
    column = column + width + fill
  end
  return table.concat(out), column
end

--- Returns the chunks of a virtual line with a highlight over the whole width.
--- @param ranges number[][]|nil the ranges of its words that are new
local function virtual_line(text, ranges, groups, tabstop)
  local chunks, at, column = {}, 0, 0
  local function chunk(to, group)
    local shown
    shown, column = expanded(text:sub(at + 1, to), column, tabstop)
    table.insert(chunks, { shown, group })
    at = to
  end
  for _, range in ipairs(ranges or {}) do
    chunk(range[1], groups.line)
    chunk(range[2], groups.word)
  end
  chunk(#text, groups.line)
  table.insert(chunks, { (' '):rep(math.max(0, vim.o.columns - column)), groups.line })
  return chunks
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

--- Shows virtual lines below a row; -1 is above the first line.
local function add_lines(bufnr, row, lines)
  vim.api.nvim_buf_set_extmark(bufnr, namespace, math.max(row, 0), 0, { virt_lines = lines, virt_lines_above = row < 0 })
end

--- Shows a group of lines that go and of those that come instead.
local function draw_group(bufnr, first, group, old, new, groups)
  local gone = vim.list_slice(old, group.old, group.old + group.old_count - 1)
  local come = vim.list_slice(new, group.new, group.new + group.new_count - 1)
  local removed, added = line_diff.words(gone, come)
  local tabstop = vim.api.nvim_buf_get_option(bufnr, 'tabstop')
  for i = 1, #gone do
    mark_line(bufnr, first + group.old - 2 + i, removed[i], groups.goes)
  end
  local lines = {}
  for i, text in ipairs(come) do
    table.insert(lines, virtual_line(text, added[i], groups.comes, tabstop))
  end
  local last = #gone > 0 and group.old + group.old_count - 1 or group.old
  return first + last - 1, lines
end

local function hint()
  local hints = {}
  for _, action in ipairs({ { 'accept-hunk', 'accept' }, { 'reject-hunk', 'reject' }, { 'review-next', 'next' } }) do
    local key = keys.first(action[1])
    table.insert(hints, key and ('%s %s'):format(key, action[2]))
  end
  return table.concat(hints, ', ')
end

--- Returns what stands behind the first line of a hunk.
local function label(waiting, number, total, current)
  local words = { ('%d/%d'):format(number, total) }
  if waiting.hunk.conflict then
    table.insert(words, 'in conflict: ' .. (waiting.file.reason or 'these lines have changed since'))
  elseif waiting.hunk.rename then
    table.insert(words, 'renames the file to ' .. waiting.file.newPath)
  elseif waiting.file.op == 'delete' then
    table.insert(words, 'deletes the file')
  end
  table.insert(words, current and hint() or nil)
  return ('  %s'):format(table.concat(words, ' · '))
end

local function draw_label(bufnr, row, text)
  vim.api.nvim_buf_set_extmark(bufnr, namespace, row, 0, { virt_text = { { text, 'PlokeHint' } }, virt_text_pos = 'eol', priority = 200 })
end

--- Shows one hunk. Its label is behind the first line that goes, else behind the first one that comes.
local function draw_hunk(bufnr, waiting, at, text)
  local old, new = vim.api.nvim_buf_get_lines(bufnr, at.first, at.after, false), split(at.text)
  local groups = waiting.hunk.conflict and { goes = unfit, comes = unfit } or { goes = goes, comes = comes }
  local diff = line_diff.lines(old, new)
  if waiting.hunk.conflict then
    diff = { { old = 1, old_count = #old, new = 1, new_count = #new } }
  end
  local labelled = false
  for _, group in ipairs(waiting.hunk.rename and {} or diff) do
    local below, lines = draw_group(bufnr, at.first, group, old, new, groups)
    if not labelled and group.old_count > 0 then
      draw_label(bufnr, at.first + group.old - 1, text)
    elseif not labelled and lines[1] then
      table.insert(lines[1], #lines[1], { text, 'PlokeHint' })
    end
    labelled = true
    if #lines > 0 then
      add_lines(bufnr, below, lines)
    end
  end
  if not labelled then
    draw_label(bufnr, math.min(at.first, vim.api.nvim_buf_line_count(bufnr) - 1), text)
  end
end

--- Shows the hunks of a buffer anew.
--- @param bufnr number
function M.draw(bufnr)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  local total, current = #review.hunks(), review.current()
  for _, at in ipairs(place.list(bufnr)) do
    local waiting, number = review.find(at.id)
    if waiting and at.text then
      draw_hunk(bufnr, waiting, at, label(waiting, number, total, current == waiting))
    end
  end
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
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
end

return M
