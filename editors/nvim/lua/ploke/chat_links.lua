--- The citations of a section of the chat: what the links in its text lead to. A section keeps them in `links`, those
--- since its last question, and `linked`, the labels of all.

local buffer = require('ploke.chat_buffer')
local citation = require('ploke.citation')
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

--- Finds the section's first link to a place without a citation. Returns its row, and the columns of its opening bracket,
--- of its closing bracket and of its end.
local function find_link(section, place)
  local head = section:row()
  local rest = ']' .. citation.target(place)
  for i, line in ipairs(buffer.lines(head, section:position() + 1)) do
    local row = head + i - 1
    local open, close = line:find('[', 1, true), line:find(rest, 1, true)
    if open and close and open < close and not places.on(row) then
      return row, open - 1, close - 1, close - 1 + #rest
    end
  end
end

--- Attaches a citation to its link: hides the link's target and shows the symbol's name behind it. One without a link is
--- listed at the end of the answer.
--- @param place ploke.Citation
function M.cite(section, place)
  local row, open, close, after = find_link(section, place)
  if not row then
    return
  end
  local label = citation.label(place)
  section.linked[label] = true
  local function mark(col, options)
    local id = buffer.set_mark(row, col, options)
    table.insert(section.links, { mark = id, label = label })
    return id
  end
  mark(open, { end_col = open + 1, conceal = '' })
  mark(open + 1, { end_col = close, hl_group = 'PlokeCitation' })
  mark(close, { end_col = after, conceal = '' })
  local name = place.canon and { { '→ ' .. place.canon, 'PlokeCitation' } }
  places.set(mark(after, { virt_text = name }), { citation = place, encoding = section.encoding })
end

return M
