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

--- @return number|nil the row of the opening fence of the block around a row
function M.fence(bufnr, row)
  local fence, length
  for i, line in ipairs(lines(bufnr, 0, row + 1)) do
    local run = line:match('^%s*(```+)')
    if run and not fence then
      fence, length = i - 1, #run
    elseif fence and i - 1 < row and (closing(line) or 0) >= length then
      fence = nil
    end
  end
  return fence
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
