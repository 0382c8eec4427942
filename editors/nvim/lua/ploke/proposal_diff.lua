--- A buffer with the conflicts and the unified diff of a proposal. It maps each row to its hunk.

local config = require('ploke.config')
local keys = require('ploke.keys')

local M = {}

local namespace = vim.api.nvim_create_namespace('ploke.proposal_diff')
local shown = {} -- buffer -> { id, places }, places by row

local function name_of(id)
  return 'ploke://proposal/' .. id
end

local function buffer_of(id)
  local bufnr = vim.fn.bufnr('^' .. name_of(id) .. '$')
  if bufnr < 0 then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(bufnr, name_of(id))
    vim.api.nvim_buf_set_option(bufnr, 'filetype', 'diff')
    keys.attach(bufnr, 'diff')
    vim.api.nvim_create_autocmd('BufWipeout', { buffer = bufnr, once = true, callback = function() shown[bufnr] = nil end })
  end
  return bufnr
end

local function append(lines, text)
  vim.list_extend(lines, vim.split((text:gsub('\n$', '')), '\n', { plain = true }))
end

--- Appends a conflict between the usual merge markers.
local function append_conflict(lines, conflict)
  table.insert(lines, '# ' .. conflict.reason)
  for _, side in ipairs({
    { '<<<<<<< the file now', conflict.theirs },
    { '||||||| the file when it was proposed', conflict.base },
    { '=======', conflict.ours },
  }) do
    table.insert(lines, side[1])
    if side[2] ~= '' then
      append(lines, side[2])
    end
  end
  vim.list_extend(lines, { '>>>>>>> the proposal', '' })
end

--- Reads a unified diff of the files in `views`, in their order. A file without changes is not in the diff.
local Reader = {}
Reader.__index = Reader

--- Moves to the next file with this path.
function Reader:file(path)
  repeat
    self.at = self.at + 1
  until not self.views[self.at] or self.views[self.at].path == path
  self.line, self.named = 0, true
end

--- Reads a line of a hunk. Returns its line number in the text before; an added line has that of
--- the next line.
function Reader:content(sign)
  self.left[sign] = (self.left[sign] or 0) - 1
  local line = self.line
  if sign == ' ' then
    self.left['-'], self.left['+'] = self.left['-'] - 1, self.left['+'] - 1
  end
  self.line = sign == '+' and line or line + 1
  return line
end

function Reader:header(text)
  local old, count, new = text:match('^@@ %-(%d+),?(%d*) %+%d+,?(%d*) @@')
  if old then
    self.line, self.named = tonumber(old), false
    self.left = { ['-'] = tonumber(count) or 1, ['+'] = tonumber(new) or 1 }
  elseif text:find('^rename from ') then
    self:file(text:sub(13))
  elseif text == '--- /dev/null' then
    self.named = false
  elseif text:find('^%-%-%- a/') and not (self.named and self.views[self.at].path == text:sub(7)) then
    self:file(text:sub(7))
  elseif text:find('^%+%+%+ b/') and not self.named then
    self:file(text:sub(7)) -- a created file
  end
  return self.line
end

function Reader:read(text)
  local sign = text:sub(1, 1)
  local within = (self.left['-'] > 0 or self.left['+'] > 0) and (sign == ' ' or sign == '-' or sign == '+')
  local line = within and self:content(sign) or self:header(text)
  return { view = self.views[self.at], line = line, changes = within and sign ~= ' ' }
end

--- @return number the distance in lines from a hunk to a line
local function distance(hunk, line)
  return math.max(hunk.startLine - line, line - hunk.endLine, 0)
end

--- Returns the hunk that is nearest to a place.
local function hunk_of(place)
  local nearest
  for _, hunk in ipairs(place.view and place.view.hunks or {}) do
    if not nearest or distance(hunk, place.line) < distance(nearest, place.line) then
      nearest = hunk
    end
  end
  return nearest
end

--- Shows the state of each decided hunk behind its first line.
local function mark_states(bufnr, places)
  local marked = {}
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  for row, place in pairs(places) do
    local hunk = place.changes and hunk_of(place)
    if hunk and hunk.state ~= 'staged' and row < (marked[hunk] or math.huge) then
      marked[hunk] = row
    end
  end
  for hunk, row in pairs(marked) do
    vim.api.nvim_buf_set_extmark(bufnr, namespace, row - 1, 0, { virt_text = { { '· ' .. hunk.state, 'PlokeNote' } } })
  end
end

local function show(bufnr)
  local win = vim.fn.win_findbuf(bufnr)[1]
  if win then
    vim.api.nvim_set_current_win(win)
  else
    vim.cmd(config.get().split)
    vim.api.nvim_win_set_buf(0, bufnr)
  end
end

local function fill(bufnr, details)
  local lines, places = {}, {}
  for _, conflict in ipairs(details.conflicts or {}) do
    append_conflict(lines, conflict)
  end
  local reader = setmetatable({ views = details.files, at = 0, line = 0, left = { ['-'] = 0, ['+'] = 0 } }, Reader)
  for _, text in ipairs(vim.split((details.diff:gsub('\n$', '')), '\n', { plain = true })) do
    table.insert(lines, text)
    places[#lines] = reader:read(text)
  end
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', false)
  shown[bufnr] = { id = details.proposal.id, places = places }
  mark_states(bufnr, places)
end

--- Opens a proposal in a split.
--- @param details ploke.ProposalGetResult
function M.open(details)
  local bufnr = buffer_of(details.proposal.id)
  fill(bufnr, details)
  show(bufnr)
end

--- Redraws the diff of a proposal if it is open.
--- @param details ploke.ProposalGetResult
function M.refresh(details)
  local bufnr = vim.fn.bufnr('^' .. name_of(details.proposal.id) .. '$')
  if shown[bufnr] then
    fill(bufnr, details)
  end
end

--- @return boolean whether the proposal is shown in a buffer
function M.shows(id)
  return shown[vim.fn.bufnr('^' .. name_of(id) .. '$')] ~= nil
end

--- Returns what is under the cursor in a diff.
--- @return { id: string, file: string|nil, hunk: string|nil }|nil the proposal, the file's uri, the hunk's id
function M.under_cursor()
  local review = shown[vim.api.nvim_get_current_buf()]
  if not review then
    return nil
  end
  local place = review.places[vim.api.nvim_win_get_cursor(0)[1]] or {}
  local hunk = hunk_of(place)
  return { id = review.id, file = place.view and place.view.uri, hunk = hunk and hunk.id }
end

return M
