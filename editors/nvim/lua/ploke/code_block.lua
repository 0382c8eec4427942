--- Fenced code blocks in the Markdown of a buffer. Rows are 0-based.

local M = {}

local function lines(bufnr, first, last)
  return vim.api.nvim_buf_get_lines(bufnr, first, last, false)
end

--- @return number|nil the length of the fence that a line ends with nothing behind it
local function closing(line)
  local run = line:match('^%s*(```+)%s*$')
  return run and #run
end

--- Finds the block that is open behind some lines. Returns the index of its fence, and the fence's length.
local function open_behind(text)
  local fence, length
  for i, line in ipairs(text) do
    local run = line:match('^%s*(```+)')
    if run and not fence then
      fence, length = i, #run
    elseif fence and (closing(line) or 0) >= length then
      fence = nil
    end
  end
  return fence, length
end

--- @return string|nil what closes the block that is open at the end of the rows from `first` to `last`, if one is
function M.unclosed(bufnr, first, last)
  local fence, length = open_behind(lines(bufnr, first, last + 1))
  return fence and ('`'):rep(length)
end

--- @param top number|nil a row above it that is in no block; by default 0
--- @return number|nil the row of the opening fence of the block around a row; a fence belongs to its block
function M.fence(bufnr, row, top)
  top = top or 0
  local before = open_behind(lines(bufnr, top, row))
  if before then
    return top + before - 1
  end
  return lines(bufnr, row, row + 1)[1]:match('^%s*```+') and row or nil
end

--- Returns the code of the block around a row, without its fences, nil if there is none.
--- @return string[]|nil
function M.code(bufnr, row)
  local fence = M.fence(bufnr, row)
  if not fence then
    return nil
  end
  local length = #lines(bufnr, fence, fence + 1)[1]:match('```+')
  local code = {}
  for _, line in ipairs(lines(bufnr, fence + 1, -1)) do
    if (closing(line) or 0) >= length then
      break
    end
    table.insert(code, line)
  end
  return code
end

return M
