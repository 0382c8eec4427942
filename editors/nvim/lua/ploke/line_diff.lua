--- Diffs of lists of lines, and of the words in them.

local M = {}

local diff = vim.text and vim.text.diff or vim.diff -- its name since Neovim 0.12

-- Words are marked only if at least this part of the longer side stays. Elsewhere the lines are other lines.
local least_common = 0.3

local function joined(items)
  return #items == 0 and '' or table.concat(items, '\n') .. '\n'
end

--- Returns what differs between two lists of lines, as groups of adjacent lines. `old` and `new` are 1-based; of an empty
--- side it is the line before it.
--- @return { old: number, old_count: number, new: number, new_count: number }[]
function M.lines(old, new)
  return vim.tbl_map(function(group)
    return { old = group[1], old_count = group[2], new = group[3], new_count = group[4] }
  end, diff(joined(old), joined(new), { result_type = 'indices' }))
end

--- Splits lines into words, white space and single characters; the end of a line is an empty word.
local function words_of(lines)
  local words = {}
  for row, line in ipairs(lines) do
    local at = 1
    while at <= #line do
      local word = line:match('^[%w_\128-\255]+', at) or line:match('^%s+', at) or line:sub(at, at)
      table.insert(words, { text = word, row = row, from = at - 1 })
      at = at + #word
    end
    table.insert(words, { text = '', row = row, from = #line })
  end
  return words
end

local function size(words)
  local bytes = 0
  for _, word in ipairs(words) do
    bytes = bytes + (word.text:find('%S') and #word.text or 0)
  end
  return bytes
end

--- Adds a run of words to the ranges of its lines.
local function add(ranges, words, first, count)
  for i = first, first + count - 1 do
    local word = words[i]
    local list = ranges[word.row] or {}
    local last = list[#list]
    if last and last[2] == word.from then
      last[2] = word.from + #word.text
    elseif word.text ~= '' then
      table.insert(list, { word.from, word.from + #word.text })
    end
    ranges[word.row] = list
  end
end

--- Returns the words that only one of two lists of lines has: for each line, by its 1-based number, the ranges of bytes,
--- 0-based and without their end. There are none if little is common to both.
--- @return table<number, number[][]> old
--- @return table<number, number[][]> new
function M.words(old, new)
  local before, after = words_of(old), words_of(new)
  local function text(word)
    return word.text
  end
  local groups = diff(joined(vim.tbl_map(text, before)), joined(vim.tbl_map(text, after)), { result_type = 'indices' })
  local gone, come, only = {}, {}, {}
  for _, group in ipairs(groups) do
    add(gone, before, group[1], group[2])
    add(come, after, group[3], group[4])
    vim.list_extend(only, before, group[1], group[1] + group[2] - 1)
  end
  if size(before) - size(only) < least_common * math.max(size(before), size(after)) then
    return {}, {}
  end
  return gone, come
end

return M
