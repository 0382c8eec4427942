--- Virtual lines that look like lines of a buffer: tabs are expanded, long lines are wrapped, and characters that could deceive a
--- reader or drive a terminal are shown as codes.

local M = {}

--- Returns the width of the text in the windows of a buffer, in cells: that of the narrowest window in which lines are wrapped.
--- @return number
function M.width(bufnr)
  local least = math.huge
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    if vim.api.nvim_win_get_option(win, 'wrap') then
      least = math.min(least, vim.api.nvim_win_get_width(win) - vim.fn.getwininfo(win)[1].textoff)
    end
  end
  return math.max(least, 10)
end

--- Returns how many cells are free behind a line in the windows of a buffer, in the one with the least.
--- @param used number the cells that the line takes
--- @return number
function M.free(bufnr, used)
  local least = math.huge
  for _, win in ipairs(vim.fn.win_findbuf(bufnr)) do
    local width = vim.api.nvim_win_get_width(win) - vim.fn.getwininfo(win)[1].textoff
    least = math.min(least, width - (vim.api.nvim_win_get_option(win, 'wrap') and used % width or used))
  end
  return least
end

--- Returns text as it is shown from a column on, and the column behind it.
local function shown(text, column, tabstop)
  local out = {}
  for part, tab in text:gmatch('([^\t]*)(\t?)') do
    local plain = vim.fn.strtrans(part)
    column = column + vim.fn.strdisplaywidth(plain)
    local fill = tab == '' and 0 or tabstop - column % tabstop
    table.insert(out, plain .. (' '):rep(fill))
    column = column + fill
  end
  return table.concat(out), column
end

--- Breaks chunks into lines of a width.
local function wrapped(chunks, width)
  local lines, column = { {} }, 0
  for _, chunk in ipairs(chunks) do
    local from = {}
    for _, character in ipairs(vim.fn.split(chunk[1], '\\zs')) do
      local cells = vim.fn.strdisplaywidth(character)
      if column + cells > width then
        table.insert(lines[#lines], { table.concat(from), chunk[2] })
        table.insert(lines, {})
        from, column = {}, 0
      end
      table.insert(from, character)
      column = column + cells
    end
    table.insert(lines[#lines], { table.concat(from), chunk[2] })
  end
  return lines, column
end

--- Returns a line as chunks with highlights that fill the width, in one or more virtual lines.
--- @param text string
--- @param ranges number[][]|nil the ranges of its words that are new, in bytes
--- @param groups { line: string, word: string }
--- @param room { tabstop: number, width: number } in cells
--- @return table[]
function M.lines(text, ranges, groups, room)
  local chunks, at, column = {}, 0, 0
  local function chunk(to, group)
    local plain
    plain, column = shown(text:sub(at + 1, to), column, room.tabstop)
    table.insert(chunks, { plain, group })
    at = to
  end
  for _, range in ipairs(ranges or {}) do
    chunk(range[1], groups.line)
    chunk(range[2], groups.word)
  end
  chunk(#text, groups.line)
  local lines = { chunks }
  if column > room.width then
    lines, column = wrapped(chunks, room.width)
  end
  table.insert(lines[#lines], { (' '):rep(math.max(0, vim.o.columns - column)), groups.line })
  return lines
end

return M
