--- Fenced code blocks in the Markdown of a buffer. Rows are 0-based.

local M = {}

local function lines(bufnr, first, last)
  return vim.api.nvim_buf_get_lines(bufnr, first, last, false)
end

--- @return string|nil the marks of the fence that a line begins with
local function opening(line)
  return line:match('^%s*(```+)') or line:match('^%s*(~~~+)')
end

--- @return boolean whether a line closes the block of a fence
local function closes(line, fence)
  local marks = opening(line)
  return marks ~= nil and marks:sub(1, 1) == fence:sub(1, 1) and #marks >= #fence and vim.trim(line) == marks
end

--- Finds the block that is open behind some lines. Returns the index of its fence, and the fence.
local function open_behind(text)
  local index, fence
  for i, line in ipairs(text) do
    if not fence then
      fence = opening(line)
      index = fence and i
    elseif closes(line, fence) then
      index, fence = nil, nil
    end
  end
  return index, fence
end

--- @return string|nil what closes the block that is open at the end of the rows from `first` to `last`, if one is
function M.unclosed(bufnr, first, last)
  local _, fence = open_behind(lines(bufnr, first, last + 1))
  return fence
end

--- @param top number|nil a row above it that is in no block; by default 0
--- @return number|nil the row of the opening fence of the block around a row; a fence belongs to its block
function M.fence(bufnr, row, top)
  top = top or 0
  local before = open_behind(lines(bufnr, top, row))
  if before then
    return top + before - 1
  end
  return opening(lines(bufnr, row, row + 1)[1]) and row or nil
end

--- Returns the code of the block around a row, without its fences, nil if there is none.
--- @return string[]|nil
function M.code(bufnr, row)
  local fence = M.fence(bufnr, row)
  if not fence then
    return nil
  end
  local marks = opening(lines(bufnr, fence, fence + 1)[1])
  local code = {}
  for _, line in ipairs(lines(bufnr, fence + 1, -1)) do
    if closes(line, marks) then
      break
    end
    table.insert(code, line)
  end
  return code
end

return M
