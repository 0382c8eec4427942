--- The links in the text of a section of the chat. Of each, the text keeps the words, and an extmark what they lead to: an
--- address that is hidden would still take room in the lines. A section keeps its citations in `links`, those since its
--- last question, and `linked`, the labels of all.

local buffer = require('ploke.chat_buffer')
local citation = require('ploke.citation')
local code_block = require('ploke.code_block')
local places = require('ploke.chat_places')

local M = {}

--- Sets up a new section.
function M.begin(section)
  section.links, section.linked = {}, {}
end

--- Keeps the citations so far even if the text behind them is replaced.
function M.keep(section)
  section.links = {}
end

--- Removes the citations since the last question.
function M.remove(section)
  for _, link in ipairs(section.links) do
    buffer.delete_mark(link.mark)
    places.forget(link.mark)
    section.linked[link.label] = nil
  end
  section.links = {}
end

--- @return boolean whether the section shows a citation
function M.has(section, place)
  return section.linked[citation.label(place)] ~= nil
end

--- Makes a line, which an extmark spans, lead to a place.
function M.list(section, place, mark)
  section.linked[citation.label(place)] = true
  places.set(mark, { citation = place, encoding = section.encoding })
end

--- Finds the section's first link to a place. Returns its row, and the columns of its opening bracket, of its closing
--- bracket and of its end.
local function find_link(section, place)
  local head = section:row()
  local rest = ']' .. citation.target(place)
  for i, line in ipairs(buffer.lines(head, section:position() + 1)) do
    local close = line:find(rest, 1, true)
    local open = close and line:sub(1, close - 1):find('%[[^%[]*$')
    if open then
      return head + i - 1, open - 1, close - 1, close - 1 + #rest
    end
  end
end

--- Replaces a link by its words. Returns the extmarks of the words and of what is behind them.
local function leave_words(row, open, words, after, group, options)
  buffer.edit(function()
    vim.api.nvim_buf_set_text(buffer.get(), row, open, row, after, { words })
  end)
  local shown = buffer.set_mark(row, open, { end_col = open + #words, hl_group = group })
  return shown, buffer.set_mark(row, open + #words, options)
end

--- Attaches a citation to its link, and shows the symbol's name behind it. One without a link is listed at the end of the
--- answer.
--- @param place ploke.Citation
function M.cite(section, place)
  local row, open, close, after = find_link(section, place)
  if not row then
    return
  end
  local label = citation.label(place)
  section.linked[label] = true
  local words = buffer.lines(row, row + 1)[1]:sub(open + 2, close)
  local name = place.canon and { { '→ ' .. place.canon, 'PlokeCitation' } }
  local shown, behind = leave_words(row, open, words, after, 'PlokeCitation', { virt_text = name })
  for _, mark in ipairs({ shown, behind }) do
    table.insert(section.links, { mark = mark, label = label })
  end
  places.set(behind, { citation = place, encoding = section.encoding })
end

--- Leaves the words alone of all other links in rows, outside of code.
--- @param first number
--- @param last number inclusive
function M.shorten(first, last)
  for row = first, last do
    local at = 1
    while not code_block.fence(buffer.get(), row, first) do
      local line = buffer.lines(row, row + 1)[1]
      local open, after, words, address = line:find('\\?!?%[([^%[%]]+)%]%(([^()%s]+)%)', at)
      if not open or select(2, line:sub(1, open - 1):gsub('`', '')) % 2 == 1 then
        break
      end
      local _, behind = leave_words(row, open - 1, words, after, 'Underlined', {})
      places.set(behind, { address = address })
      at = open + #words
    end
  end
end

return M
