--- A section of the chat's transcript: a question with its answer. Several sections may grow at the same time. After the
--- person has deleted the chat, calls on its sections do nothing.

local buffer = require('ploke.chat_buffer')
local citation = require('ploke.citation')
local code_block = require('ploke.code_block')
local highlight = require('ploke.chat_highlight')
local links = require('ploke.chat_links')
local name_links = require('ploke.chat_name_links')
local places = require('ploke.chat_places')

local Section = vim.tbl_extend('error', {}, require('ploke.chat_section_steps'))
Section.__index = Section

local M = {}

local Deleted = {
  __index = function()
    return function() end
  end,
}

--- Makes calls on a section do nothing.
function M.detach(section)
  setmetatable(section, Deleted)
end

--- Returns the lines of a question, with what is attached and not mentioned in it.
local function heading_of(question, attachments)
  local lines = {}
  for _, line in ipairs(vim.split(question, '\n', { plain = true })) do
    table.insert(lines, '> ' .. line)
  end
  for _, attachment in ipairs(attachments or {}) do
    local label = citation.mention(attachment)
    if not question:find(label, 1, true) then
      table.insert(lines, '> ' .. label)
    end
  end
  return lines
end

--- Adds a section to the end of the transcript.
--- @param question string
--- @param attachments ploke.Attachment[]|nil
--- @param encoding string position encoding of its citations
--- @param apart boolean whether the section above may still grow
function M.new(question, attachments, encoding, apart)
  local section = setmetatable({ open = true, encoding = encoding, calls = {}, outputs = {}, runs = {}, below = {} }, Section)
  local first = buffer.border()
  local lines = heading_of(question, attachments)
  local count = #lines
  if first > 0 and (apart or buffer.lines(first - 1, first)[1] ~= '') then
    table.insert(lines, 1, '')
  end
  local row = first + #lines - count
  vim.list_extend(lines, { '', '' })
  buffer.edit(function()
    vim.api.nvim_buf_set_lines(buffer.get(), first, first, false, lines)
  end)
  links.begin(section)
  section.top = buffer.set_mark(first, 0, { right_gravity = false })
  section.head = buffer.set_mark(row, 0, { end_row = row + count, hl_group = 'PlokeQuestion', right_gravity = false })
  section.tail = buffer.set_mark(first + #lines - 1, 0, {})
  return section
end

--- @return boolean|nil whether the section is in the chat; nil once it was deleted
function Section:is_shown()
  return true
end

--- @return number the row of the question
function Section:row()
  return (buffer.mark(self.head))
end

--- Replaces the few words that an extmark shows behind the text of a row.
--- @param name string of the field with the extmark
--- @param words string|nil
function Section:show(name, row, words)
  if self[name] then
    buffer.delete_mark(self[name])
    self[name] = nil
  end
  if words and words ~= '' then
    self[name] = buffer.set_mark(row, 0, { virt_text = { { '· ' .. words, 'PlokeNote' } } })
  end
end

--- Shows behind the question what the turn does now, or removes it.
--- @param words string|nil
function Section:state(words)
  self.doing = words
  self:show('state_mark', self:row(), words or self.branch)
end

--- Shows behind the question which one of several branches begins with it.
function Section:fork(words)
  self.branch = words
  self:state(self.doing)
end

--- Shows below the answer what it took.
function Section:usage(words)
  self:show('usage_mark', self:position(), words)
end

--- Shows a question that joined the turn: the text above it is final, and the text below it answers
--- it.
function Section:question(text)
  self.after_line = nil
  for _, line in ipairs(vim.split(text, '\n', { plain = true })) do
    self:line('> ' .. line, 'PlokeQuestion')
  end
  self:finish_runs()
  links.keep(self)
end

function Section:position()
  return buffer.mark(self.tail)
end

--- Inserts text at the end of the section, which moves the tail mark.
function Section:insert(text)
  local row, col = self:position()
  buffer.edit(function()
    vim.api.nvim_buf_set_text(buffer.get(), row, col, row, col, vim.split(text, '\n', { plain = true }))
  end)
end

--- Ends the section and leaves one blank line before what follows.
function Section:close()
  self:end_steps()
  self:end_block()
  self:finish_runs()
  self.open = nil
  local row, col = self:position()
  local below = row + 1 < buffer.border() and buffer.lines(row + 1, row + 2)[1]
  if col > 0 and below ~= '' then
    self:insert('\n')
  elseif col == 0 and below == '' then
    buffer.edit(function()
      vim.api.nvim_buf_set_lines(buffer.get(), row + 1, row + 2, false, {})
    end)
  end
end

--- Removes the section from the transcript.
function Section:remove()
  self.branch = nil
  self:state(nil)
  local first, last = buffer.mark(self.top), self:position()
  buffer.edit(function()
    vim.api.nvim_buf_set_lines(buffer.get(), first, last + 1, false, {})
  end)
  M.detach(self)
end

--- Starts a new paragraph: a blank line precedes the next text.
function Section:paragraph()
  local row, col = self:position()
  if col > 0 then
    self:insert('\n\n')
  elseif buffer.lines(row - 1, row)[1] ~= '' then
    self:insert('\n')
  end
end

--- Appends streamed Markdown. Lines added by `line` divide it into runs.
function Section:write(text)
  if not self.run then
    text = text:gsub('^\n+', '') -- our own lines separate the steps of an answer already
    if text == '' then
      return
    end
    self:end_steps()
    local row, col = self:position()
    self.run = buffer.set_mark(row, col, { right_gravity = false })
    table.insert(self.runs, self.run)
    if self.after_line then
      self:paragraph()
    end
  end
  local row = self:position()
  self:insert(text)
  if text:find('\n', 1, true) then
    highlight.rows(row, self:position(), (buffer.mark(self.run)))
  end
end

--- Closes the code block in which the current run of Markdown has broken off.
function Section:end_block()
  local fence = self.run and code_block.unclosed(buffer.get(), (buffer.mark(self.run)), (self:position()))
  if fence then
    self:insert('\n' .. fence)
  end
end

--- Ends the current run of Markdown.
function Section:end_run()
  if self.run then
    local first, column = buffer.mark(self.run)
    local row, col = self:position()
    buffer.set_mark(first, column, { id = self.run, right_gravity = false, end_row = row, end_col = col, end_right_gravity = false })
    self.run = nil
  end
end

--- Ends the Markdown since the last question, which does not change any more.
function Section:finish_runs()
  self:end_run()
  for _, run in ipairs(self.runs) do
    local row, _, span = unpack(vim.api.nvim_buf_get_extmark_by_id(buffer.get(), buffer.namespace, run, { details = true }))
    links.shorten(row, span.end_row)
    name_links.look(row, span.end_row)
  end
  self.runs = {}
end

--- Removes the Markdown since the last question, and its citations. Lines added by `line` stay.
function Section:retract()
  self:end_run()
  links.remove(self)
  for _, run in ipairs(self.runs) do
    local row, col, span = unpack(vim.api.nvim_buf_get_extmark_by_id(buffer.get(), buffer.namespace, run, { details = true }))
    buffer.edit(function()
      vim.api.nvim_buf_set_text(buffer.get(), row, col, span.end_row, span.end_col, {})
    end)
    buffer.delete_mark(run)
  end
  self.runs = {}
end

--- Begins lines of the plugin's own, apart from the Markdown around them.
function Section:begin_line()
  if self.run or not self.after_line then
    self.after_line = true
    self:end_block()
    self:paragraph()
    self:end_run()
  end
end

--- Appends a line of the plugin's own, such as a note.
--- @return number the extmark that spans the line
function Section:line(text, group)
  self:end_steps()
  return self:own_line(text, group)
end

function Section:own_line(text, group)
  self:begin_line()
  local row = self:position()
  text = text:gsub('\n', ' ')
  self:insert(text .. '\n')
  return buffer.set_mark(row, 0, { end_col = #text, hl_group = group })
end

--- Replaces the text of a line added by `line`.
function Section:replace(mark, text, group)
  local row = buffer.mark(mark)
  text = text:gsub('\n', ' ')
  buffer.edit(function()
    vim.api.nvim_buf_set_text(buffer.get(), row, 0, row, #buffer.lines(row, row + 1)[1], { text })
  end)
  buffer.set_mark(row, 0, { id = mark, end_col = #text, hl_group = group })
end

--- Shows lines below a line added by `line`, in place of those that it had below it, wherever the answer goes on.
--- @param mark number of that line
--- @param lines { text: string, group: string, place: ploke.Place }[]
function Section:lines_below(mark, lines)
  local below = self.below[mark] or {}
  self.below[mark] = below
  for i, line in ipairs(lines) do
    if below[i] then
      self:replace(below[i], line.text, line.group)
    else
      below[i] = self:insert_below(below[i - 1] or mark, line)
    end
    places.set(below[i], line.place)
  end
  for i = #below, #lines + 1, -1 do
    self:remove_line(table.remove(below, i))
  end
end

--- The text is put behind the line, and not before the next one, whose marks have to move.
function Section:insert_below(mark, line)
  local row = buffer.mark(mark)
  local column = #buffer.lines(row, row + 1)[1]
  buffer.edit(function()
    vim.api.nvim_buf_set_text(buffer.get(), row, column, row, column, { '', line.text })
  end)
  return buffer.set_mark(row + 1, 0, { end_col = #line.text, hl_group = line.group })
end

function Section:remove_line(mark)
  local row = buffer.mark(mark)
  places.forget(mark)
  buffer.delete_mark(mark)
  local above, own = unpack(buffer.lines(row - 1, row + 1))
  buffer.edit(function()
    vim.api.nvim_buf_set_text(buffer.get(), row - 1, #above, row, #own, {})
  end)
end

function Section:note(text)
  self:line('· ' .. text, 'PlokeNote')
end

--- Attaches a citation to the link that the text has for it.
--- @param place ploke.Citation
function Section:cite(place)
  links.cite(self, place)
end

--- Lists the citations that the answer has no links for.
--- @param cited ploke.Citation[]
function Section:sources(cited)
  for _, place in ipairs(cited) do
    if not links.has(self, place) then
      links.list(self, place, self:line('→ ' .. citation.label(place), 'PlokeCitation'))
    end
  end
end

return M
