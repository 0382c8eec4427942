-- What a person sees of the review in a buffer, read from its marks.

local M = {}

function M.marks(bufnr)
  local space = vim.api.nvim_get_namespaces()['ploke.review']
  return vim.api.nvim_buf_get_extmarks(bufnr, space, 0, -1, { details = true })
end

local function plain(line)
  return (line:gsub('\t', '        '):gsub('%s+$', ''))
end

--- Returns what the chunks of a virtual line say, without its label and its padding, and whether it is in conflict.
local function said(chunks)
  local words, unfit = {}, false
  for _, chunk in ipairs(chunks) do
    table.insert(words, chunk[2] ~= 'PlokeHint' and chunk[1] or '')
    unfit = unfit or chunk[2] == 'PlokeConflict'
  end
  return plain(table.concat(words)), unfit
end

--- Returns the lines on the screen: ' ' before one that stays, '-' before one that goes, '+' before one that comes, and '!' before
--- one that is proposed, but in conflict.
--- @return string[]
function M.lines(bufnr)
  local below, gone, lines = {}, {}, {}
  for _, mark in ipairs(M.marks(bufnr)) do
    local row, details = mark[2], mark[4]
    if details.virt_lines then
      local at = details.virt_lines_above and row - 1 or row
      below[at] = vim.list_extend(below[at] or {}, details.virt_lines)
    elseif details.hl_group == 'PlokeDelete' then
      gone[row] = true
    end
  end
  local text = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  for row = -1, #text - 1 do
    if row >= 0 then
      table.insert(lines, (gone[row] and '-' or ' ') .. plain(text[row + 1]))
    end
    for _, chunks in ipairs(below[row] or {}) do
      local words, unfit = said(chunks)
      table.insert(lines, (unfit and '!' or '+') .. words)
    end
  end
  return lines
end

--- Returns the lines that the screen promises: what the text becomes if all that fits is accepted.
--- @return string[]
function M.promised(bufnr)
  local lines = {}
  for _, line in ipairs(M.lines(bufnr)) do
    if line:find('^[ +]') then
      table.insert(lines, line:sub(2))
    end
  end
  return lines
end

--- Returns the lines of the text as the others compare them.
--- @return string[]
function M.text(bufnr)
  return vim.tbl_map(plain, vim.api.nvim_buf_get_lines(bufnr, 0, -1, false))
end

return M
