--- The chat: a scratch buffer of Markdown in a split with one section for each turn. It does not depend
--- on servers. Several sections may grow at the same time. After the user has deleted the buffer, calls on
--- its sections do nothing.

local citation = require('ploke.citation')
local config = require('ploke.config')
local keys = require('ploke.keys')

local M = {}

local Section = {}
Section.__index = Section

local namespace = vim.api.nvim_create_namespace('ploke.chat')
local buffer -- the chat's buffer, while it is loaded
local sections = {} -- the sections in the buffer
local cited = {} -- extmark id -> { citation, encoding }

local Deleted = {
  __index = function()
    return function() end
  end,
}

vim.cmd([[
  highlight default link PlokeQuestion Title
  highlight default link PlokeNote Comment
  highlight default link PlokeCitation Directory
  highlight default link PlokeProposal WarningMsg
]])

local function detach_sections()
  for _, section in ipairs(sections) do
    setmetatable(section, Deleted)
  end
  buffer, sections, cited = nil, {}, {}
end

local function load_buffer()
  local bufnr = vim.fn.bufadd('ploke://chat')
  vim.api.nvim_buf_set_option(bufnr, 'buftype', 'nofile')
  vim.fn.bufload(bufnr)
  for name, value in pairs({ bufhidden = 'hide', swapfile = false, undolevels = -1, modifiable = false, filetype = 'markdown' }) do
    vim.api.nvim_buf_set_option(bufnr, name, value)
  end
  vim.api.nvim_create_autocmd('BufUnload', { buffer = bufnr, once = true, callback = detach_sections })
  keys.attach(bufnr, 'chat')
  return bufnr
end

--- The line where the cursor of a window was left because the text below it does not fit in the window.
local parked = {}

--- Returns the windows that follow new text, each with its first line: those with the cursor at the end or
--- where `show_end` left it. A window whose cursor was moved elsewhere stays where it is.
local function following()
  local last = vim.api.nvim_buf_line_count(buffer)
  local windows = {}
  for _, win in ipairs(vim.fn.win_findbuf(buffer)) do
    local line = vim.api.nvim_win_get_cursor(win)[1]
    if line == last or line == parked[win] then
      windows[win] = vim.fn.line('w0', win)
    end
  end
  return windows
end

--- Moves the cursor of a window to the end. If that would scroll the line `keep` out of the window, `keep`
--- becomes the window's first line instead, and the cursor goes to its last.
local function show_end(win, keep)
  vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(buffer), 0 })
  parked[win] = nil
  if keep and vim.fn.line('w0', win) > keep then
    vim.api.nvim_win_call(win, function()
      vim.fn.winrestview({ topline = keep, lnum = keep, col = 0 })
      parked[win] = vim.fn.line('w$')
      vim.api.nvim_win_set_cursor(win, { parked[win], 0 })
    end)
  end
end

--- Changes the text of the chat, and scrolls the windows that follow it.
--- @param change function
--- @param keep number|nil the line that a window which shows it goes on showing
local function edit(change, keep)
  local windows = following()
  vim.api.nvim_buf_set_option(buffer, 'modifiable', true)
  change()
  vim.api.nvim_buf_set_option(buffer, 'modifiable', false)
  for win, first in pairs(windows) do
    show_end(win, keep and first <= keep and keep or nil)
  end
end

--- Empties the chat.
function M.clear()
  detach_sections()
  buffer = vim.fn.bufnr('^ploke://chat$')
  if buffer < 0 then
    buffer = nil
    return
  end
  vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  edit(function()
    vim.api.nvim_buf_set_lines(buffer, 0, -1, false, {})
  end)
end

--- Opens the chat's split or finds it. The focus does not change.
--- @return number the window
function M.open()
  buffer = buffer or load_buffer()
  local win = vim.fn.win_findbuf(buffer)[1]
  if win and vim.api.nvim_win_get_tabpage(win) == vim.api.nvim_get_current_tabpage() then
    return win
  end
  local origin = vim.api.nvim_get_current_win()
  vim.cmd(config.get().split)
  win = vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_buf(win, buffer)
  for name, value in pairs({ wrap = true, linebreak = true, number = false, relativenumber = false, signcolumn = 'no', conceallevel = 2, concealcursor = 'nc' }) do
    vim.api.nvim_win_set_option(win, name, value)
  end
  vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(buffer), 0 })
  vim.api.nvim_set_current_win(origin)
  return win
end

--- Starts a section at the end of the chat, below the question, and opens the split.
--- @param question string
--- @param encoding string position encoding of its citations
function M.section(question, encoding)
  M.open()
  local heading = {}
  for _, line in ipairs(vim.split(question, '\n', { plain = true })) do
    table.insert(heading, '> ' .. line)
  end
  local section = setmetatable({ open = true, encoding = encoding, calls = {}, runs = {}, links = {}, linked = {} }, Section)
  edit(function()
    local count = vim.api.nvim_buf_line_count(buffer)
    local first = count
    local last_line = vim.api.nvim_buf_get_lines(buffer, count - 1, count, false)[1]
    if count == 1 and last_line == '' then
      first = 0
    elseif last_line ~= '' or sections[#sections].open then
      table.insert(heading, 1, '')
    end
    vim.list_extend(heading, { '', '' })
    vim.api.nvim_buf_set_lines(buffer, first, -1, false, heading)
    local last = first + #heading - 1
    vim.api.nvim_buf_set_extmark(buffer, namespace, first, 0, { end_row = last - 1, hl_group = 'PlokeQuestion' })
    section.question_mark = vim.api.nvim_buf_set_extmark(buffer, namespace, first + (heading[1] == '' and 1 or 0), 0, {})
    section.head = vim.api.nvim_buf_set_extmark(buffer, namespace, first, 0, { right_gravity = false })
    section.tail = vim.api.nvim_buf_set_extmark(buffer, namespace, last, 0, {})
  end)
  table.insert(sections, section)
  return section
end

--- Shows a short state behind the question, or removes it.
function Section:state(words)
  if self.state_mark then
    vim.api.nvim_buf_del_extmark(buffer, namespace, self.state_mark)
    self.state_mark = nil
  end
  if words then
    local row = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, self.question_mark, {})[1]
    self.state_mark = vim.api.nvim_buf_set_extmark(buffer, namespace, row, 0, { virt_text = { { '· ' .. words, 'PlokeNote' } } })
  end
end

--- Shows a question that joined the turn: the text above it is final, and the text below it answers
--- it.
function Section:question(text)
  self.after_line = nil
  for _, line in ipairs(vim.split(text, '\n', { plain = true })) do
    self:line('> ' .. line, 'PlokeQuestion')
  end
  self.runs, self.links = {}, {}
end

function Section:position()
  local pos = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, self.tail, {})
  return pos[1], pos[2]
end

--- Returns the number of the line with which the last run of Markdown begins, or nil.
function Section:run_line()
  local run = self.runs[#self.runs]
  if run then
    local row = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, run, {})[1]
    local blank = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] == ''
    return blank and row + 2 or row + 1
  end
end

--- Inserts text at the end of the section, which moves the tail mark. An answer is read from its beginning,
--- so a window that shows the first line of the last run goes on showing it.
function Section:insert(text)
  local row, col = self:position()
  edit(function()
    vim.api.nvim_buf_set_text(buffer, row, col, row, col, vim.split(text, '\n', { plain = true }))
  end, self:run_line())
end

--- Ends the section and leaves one blank line before the next.
function Section:close()
  self.open = nil
  local row, col = self:position()
  if col == 0 and vim.api.nvim_buf_get_lines(buffer, row, row + 2, false)[2] == '' then
    edit(function()
      vim.api.nvim_buf_set_lines(buffer, row + 1, row + 2, false, {})
    end)
  end
end

--- Starts a new paragraph: a blank line precedes the next text.
function Section:paragraph()
  local row, col = self:position()
  local above = vim.api.nvim_buf_get_lines(buffer, row - 1, row, false)[1]
  if col > 0 then
    self:insert('\n\n')
  elseif above ~= '' then
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
    local row, col = self:position()
    self.run = vim.api.nvim_buf_set_extmark(buffer, namespace, row, col, { right_gravity = false })
    table.insert(self.runs, self.run)
    if self.after_line then
      self:paragraph()
    end
  end
  self:insert(text)
end

--- Ends the current run of Markdown.
function Section:end_run()
  if self.run then
    local start = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, self.run, {})
    local row, col = self:position()
    vim.api.nvim_buf_set_extmark(buffer, namespace, start[1], start[2], {
      id = self.run, right_gravity = false, end_row = row, end_col = col, end_right_gravity = false,
    })
    self.run = nil
  end
end

--- Removes the Markdown since the last question, and its citations. Lines added by `line` stay.
function Section:retract()
  self:end_run()
  for _, link in ipairs(self.links) do
    vim.api.nvim_buf_del_extmark(buffer, namespace, link.mark)
    cited[link.mark] = nil
    self.linked[link.label] = nil
  end
  for _, run in ipairs(self.runs) do
    local row, col, span = unpack(vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, run, { details = true }))
    edit(function()
      vim.api.nvim_buf_set_text(buffer, row, col, span.end_row, span.end_col, {})
    end)
    vim.api.nvim_buf_del_extmark(buffer, namespace, run)
  end
  self.runs, self.links = {}, {}
end

--- Appends a line of the plugin's own, such as a note, apart from the Markdown around it.
--- @return number the extmark that spans the line
function Section:line(text, group)
  if self.run or not self.after_line then
    self.after_line = true
    self:paragraph()
    self:end_run()
  end
  local row = self:position()
  text = text:gsub('\n', ' ')
  self:insert(text .. '\n')
  return vim.api.nvim_buf_set_extmark(buffer, namespace, row, 0, { end_col = #text, hl_group = group })
end

--- Replaces the text of a line added by `line`.
function Section:replace(mark, text, group)
  local row = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, mark, {})[1]
  local old = vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1]
  text = text:gsub('\n', ' ')
  edit(function()
    vim.api.nvim_buf_set_text(buffer, row, 0, row, #old, { text })
  end)
  vim.api.nvim_buf_set_extmark(buffer, namespace, row, 0, { id = mark, end_col = #text, hl_group = group })
end

function Section:note(text)
  self:line('· ' .. text, 'PlokeNote')
end

--- Shows a tool call on one line and updates it when the state of the call changes.
--- @param call { callId: string, tool: string, state: string, summary: string|nil }
function Section:tool_call(call)
  local text = '· ' .. call.tool .. (call.state == 'failed' and ' failed' or '')
  text = text .. (call.summary and ': ' .. call.summary or call.state == 'started' and ' …' or '')
  local mark = self.calls[call.callId]
  if mark then
    self:replace(mark, text, 'PlokeNote')
  else
    self.calls[call.callId] = self:line(text, 'PlokeNote')
  end
end

local function store_citation(mark, place, encoding)
  cited[mark] = { citation = place, encoding = encoding }
end

--- Returns the citation of a row, which has one at most.
local function cited_on(row)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, { row, 0 }, { row, -1 }, {})) do
    if cited[mark[1]] then
      return cited[mark[1]]
    end
  end
end

--- Finds the section's first link to a place without a citation. Returns its row, and the columns
--- of its opening bracket, of its closing bracket and of its end.
function Section:find_link(place)
  local head = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, self.head, {})[1]
  local rest = ']' .. citation.target(place)
  for i, line in ipairs(vim.api.nvim_buf_get_lines(buffer, head, self:position() + 1, false)) do
    local row = head + i - 1
    local open, close = line:find('[', 1, true), line:find(rest, 1, true)
    if open and close and open < close and not cited_on(row) then
      return row, open - 1, close - 1, close - 1 + #rest
    end
  end
end

--- Attaches a citation to the link that the text has for it: hides the link's target and shows the
--- symbol's name behind it.
--- @param place ploke.Citation
function Section:cite(place)
  local row, open, close, after = self:find_link(place)
  if not row then
    return -- `sources` lists it at the end
  end
  local label = citation.label(place)
  self.linked[label] = true
  local function mark(col, options)
    local id = vim.api.nvim_buf_set_extmark(buffer, namespace, row, col, options)
    table.insert(self.links, { mark = id, label = label })
    return id
  end
  mark(open, { end_col = open + 1, conceal = '' })
  mark(open + 1, { end_col = close, hl_group = 'PlokeCitation' })
  mark(close, { end_col = after, conceal = '' })
  local name = place.canon and { { '→ ' .. place.canon, 'PlokeCitation' } }
  store_citation(mark(after, { virt_text = name }), place, self.encoding)
end

--- Lists the citations that the answer has no links for.
--- @param places ploke.Citation[]
function Section:sources(places)
  for _, place in ipairs(places) do
    local label = citation.label(place)
    if not self.linked[label] then
      self.linked[label] = true
      store_citation(self:line('→ ' .. label, 'PlokeCitation'), place, self.encoding)
    end
  end
end

--- Returns the row of the opening fence of the code block around a row, if there is one.
local function fence_around(row)
  local fence, length -- row and length of the open fence
  for i, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, row + 1, false)) do
    local run = line:match('^%s*(```+)')
    if run and not fence then
      fence, length = i - 1, #run
    elseif run and #run >= length and line:match('^%s*`+%s*$') and i - 1 < row then
      fence = nil
    end
  end
  return fence
end

--- Returns the citation of a row (0-based): its own, else that of the line above the code block
--- around it.
--- @return { citation: ploke.Citation, encoding: string }|nil
function M.citation_at(row)
  local fence = fence_around(row)
  return cited_on(row) or fence and fence > 0 and cited_on(fence - 1) or nil
end

--- Opens the cited place under the cursor.
function M.follow()
  local found = M.citation_at(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if found then
    citation.open(found.citation, found.encoding)
  else
    vim.notify('ploke: no citation here; lines with → and code blocks have one', vim.log.levels.INFO)
  end
end

return M
