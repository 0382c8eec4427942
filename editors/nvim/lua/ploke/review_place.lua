--- Where the hunks that wait are in the buffers: in those of their files, and with their new texts in those of proposed files.
--- A place moves with the text that is typed until the server's next answer.

local client = require('ploke.client')

local M = {}

local uv = vim.uv or vim.loop

local namespace = vim.api.nvim_create_namespace('ploke.place')
local placed = {} -- buffer -> { { id, mark, text } }, in the order of the text
local proposed = {} -- buffers of proposed files

--- @return table<number, number> the state of each loaded buffer, for `update`
function M.ticks()
  local ticks = {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) then
      ticks[bufnr] = vim.api.nvim_buf_get_changedtick(bufnr)
    end
  end
  return ticks
end

--- Returns the path of a loaded file buffer as the server names it, '' for another buffer.
local function path_of(bufnr)
  local name = vim.api.nvim_buf_is_loaded(bufnr) and not proposed[bufnr] and vim.api.nvim_buf_get_name(bufnr) or ''
  return uv.fs_realpath(name) or ''
end

--- Returns the buffer of a file, which is not loaded yet if it is new. Its name is relative to the current folder, if that has it.
--- @param uri string
function M.buffer_of(uri)
  local bufnr = vim.fn.bufadd(vim.fn.fnamemodify(vim.uri_to_fname(uri), ':.'))
  vim.api.nvim_buf_set_option(bufnr, 'buflisted', true)
  return bufnr
end

--- Reports whether a hunk replaces whole lines. The range of one that shares a line with another hunk does not.
local function is_whole(hunk)
  local from, to = hunk.range.start.character, hunk.range['end'].character
  return hunk.conflict or from == 0 and to == 0 and (hunk.newText == '' or vim.endswith(hunk.newText, '\n'))
end

--- Returns the 0-based rows [first, after) of the lines that a hunk changes. They are the same if it only inserts lines.
local function rows(hunk)
  local first, last = hunk.range.start.line, hunk.range['end'].line
  return first, (hunk.range['end'].character > 0 or not is_whole(hunk)) and last + 1 or last
end

local function byte(line, character, encoding)
  if encoding == 'utf-8' then
    return character
  end
  local ok, index = pcall(vim.str_byteindex, line, character, encoding == 'utf-16')
  return ok and index or #line
end

--- Returns the new text of a hunk with what stays of its first and its last line in a buffer.
local function new_text(bufnr, one)
  if is_whole(one.hunk) then
    return one.hunk.newText
  end
  local encoding, from, to = client.encoding(one.server), one.hunk.range.start, one.hunk.range['end']
  local function line(row)
    return vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  end
  return line(from.line):sub(1, byte(line(from.line), from.character, encoding)) .. one.hunk.newText
    .. line(to.line):sub(byte(line(to.line), to.character, encoding) + 1)
end

--- Sets the places in a buffer.
--- @param hunks { id: string, first: number, after: number, text: string|nil }[] with 0-based rows, in the order of the text
local function set(bufnr, hunks)
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  local count = vim.api.nvim_buf_line_count(bufnr)
  placed[bufnr] = vim.tbl_map(function(hunk)
    return {
      id = hunk.id, text = hunk.text,
      mark = vim.api.nvim_buf_set_extmark(bufnr, namespace, math.min(hunk.first, count), 0, {
        end_row = math.min(hunk.after, count), end_col = 0, end_right_gravity = false,
      }),
    }
  end, hunks)
end

--- Sets the places of all hunks in the buffers of their files, but for buffers that have changed since the server was asked:
--- another answer will follow.
--- @param hunks ploke.Waiting[]
--- @param ticks table<number, number>
function M.update(hunks, ticks)
  local by_path = {}
  for _, one in ipairs(hunks) do
    local path = vim.uri_to_fname(one.file.uri)
    by_path[path] = by_path[path] or {}
    table.insert(by_path[path], one)
  end
  for bufnr, tick in pairs(ticks) do
    local found = by_path[path_of(bufnr)]
    local changed = not vim.api.nvim_buf_is_loaded(bufnr) or tick ~= vim.api.nvim_buf_get_changedtick(bufnr)
    if not (changed or proposed[bufnr]) and (found or placed[bufnr]) then
      set(bufnr, vim.tbl_map(function(one)
        local first, after = rows(one.hunk)
        return { id = one.hunk.id, first = first, after = after, text = new_text(bufnr, one) }
      end, found or {}))
    end
  end
end

--- Returns the places of hunks of a file in its proposed text, each with the row `now` at which it begins in the file, and
--- with how many lines come above the text behind it. Rows are 0-based.
--- @param hunks ploke.Waiting[]
local function in_proposed(hunks)
  local shift, places = 0, {}
  for _, one in ipairs(hunks) do
    local _, lines = one.hunk.newText:gsub('\n', '')
    local first, after = rows(one.hunk)
    if not (one.hunk.conflict or one.hunk.rename) then
      lines = lines + (one.hunk.newText:find('[^\n]$') and 1 or 0)
      local start = first + shift
      shift = shift + lines - (after - first)
      table.insert(places, { id = one.hunk.id, first = start, after = start + lines, now = first, shift = shift })
    end
  end
  return places
end

--- Sets the places of the hunks of a proposed file in its buffer.
--- @param hunks ploke.Waiting[] of the file
function M.update_proposed(bufnr, hunks)
  proposed[bufnr] = true
  set(bufnr, in_proposed(hunks))
end

--- Returns the row of the file at which a row of its proposed text is shown: its own, or that of the hunk that makes it.
--- @param hunks ploke.Waiting[] of the file
--- @param row number 0-based
--- @return number 0-based
function M.current_row(hunks, row)
  local shift = 0
  for _, hunk in ipairs(in_proposed(hunks)) do
    if row < hunk.first then
      break
    elseif row < hunk.after then
      return hunk.now
    end
    shift = hunk.shift
  end
  return row - shift
end

--- Returns the hunks in a buffer: each with its 0-based rows [first, after) and the text that replaces them, which
--- a proposed file already has.
--- @return { id: string, first: number, after: number, text: string|nil }[]
function M.list(bufnr)
  local hunks = {}
  for _, entry in ipairs(vim.api.nvim_buf_is_loaded(bufnr) and placed[bufnr] or {}) do
    local row, _, details = unpack(vim.api.nvim_buf_get_extmark_by_id(bufnr, namespace, entry.mark, { details = true }))
    if row then -- the mark is gone if the buffer was read again
      table.insert(hunks, { id = entry.id, first = row, after = math.max(row, details.end_row), text = entry.text })
    end
  end
  return hunks
end

--- Returns the ids of the hunks at a 0-based row. One that only inserts is at the line before which it does so, or at the last one.
--- @return string[]
function M.at(bufnr, row)
  local last = vim.api.nvim_buf_line_count(bufnr) - 1
  local ids = {}
  for _, hunk in ipairs(M.list(bufnr)) do
    if row >= math.min(hunk.first, last) and row < math.max(hunk.after, math.min(hunk.first, last) + 1) then
      table.insert(ids, hunk.id)
    end
  end
  return ids
end

--- Returns the 0-based row of a hunk in a buffer, nil if it is not there.
function M.row(bufnr, id)
  for _, hunk in ipairs(M.list(bufnr)) do
    if hunk.id == id then
      return math.min(hunk.first, vim.api.nvim_buf_line_count(bufnr) - 1)
    end
  end
end

--- @return number[] the loaded buffers in which hunks are or were
function M.buffers()
  return vim.tbl_filter(vim.api.nvim_buf_is_loaded, vim.tbl_keys(placed))
end

return M
