--- The chat: one scratch buffer of Markdown in a split, made of sections, one for each turn. It
--- shows what it is given and knows nothing of servers. Sections may grow at the same time. Once the
--- user has deleted the buffer, the sections that were in it take what comes and show nothing.

local citation = require('ploke.citation')
local config = require('ploke.config')

local M = {}

local Section = {}
Section.__index = Section

local namespace = vim.api.nvim_create_namespace('ploke.chat')
local buffer -- the chat's buffer, while it is loaded
local sections = {} -- all that are in it
local cited = {} -- extmark id -> { citation, encoding }

local Gone = {
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

local function forget()
  for _, section in ipairs(sections) do
    setmetatable(section, Gone)
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
  vim.api.nvim_create_autocmd('BufUnload', { buffer = bufnr, once = true, callback = forget })
  local function map(key, action, desc)
    vim.keymap.set('n', key, action, { buffer = bufnr, desc = desc })
  end
  map('<CR>', M.follow, 'ploke: open the cited place')
  map('gf', M.follow, 'ploke: open the cited place')
  map('q', '<Cmd>close<CR>', 'ploke: close the chat')
  return bufnr
end

--- The windows whose cursor is at the end follow what is added there; a user who moved is left alone.
local function following()
  local last = vim.api.nvim_buf_line_count(buffer)
  return vim.tbl_filter(function(win)
    return vim.api.nvim_win_get_cursor(win)[1] == last
  end, vim.fn.win_findbuf(buffer))
end

local function edit(change)
  local windows = following()
  vim.api.nvim_buf_set_option(buffer, 'modifiable', true)
  change()
  vim.api.nvim_buf_set_option(buffer, 'modifiable', false)
  local last = vim.api.nvim_buf_line_count(buffer)
  for _, win in ipairs(windows) do
    vim.api.nvim_win_set_cursor(win, { last, 0 })
  end
end

--- Empties the chat.
function M.clear()
  forget()
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

--- Opens the chat's split, or finds it; the cursor stays where it is.
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

--- Starts a section at the end of the chat, headed by the question, and opens the split.
--- @param question string
--- @param encoding string of the positions in its citations
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
    section.asked = vim.api.nvim_buf_set_extmark(buffer, namespace, first + (heading[1] == '' and 1 or 0), 0, {})
    section.head = vim.api.nvim_buf_set_extmark(buffer, namespace, first, 0, { right_gravity = false })
    section.tail = vim.api.nvim_buf_set_extmark(buffer, namespace, last, 0, {})
  end)
  table.insert(sections, section)
  return section
end

--- Shows a few words behind the question, or none.
function Section:state(words)
  if self.words then
    vim.api.nvim_buf_del_extmark(buffer, namespace, self.words)
    self.words = nil
  end
  if words then
    local row = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, self.asked, {})[1]
    self.words = vim.api.nvim_buf_set_extmark(buffer, namespace, row, 0, { virt_text = { { '· ' .. words, 'PlokeNote' } } })
  end
end

--- Shows a question that joined the turn: what follows answers it, and what is above it stays.
function Section:question(text)
  self.in_lines = nil
  for _, line in ipairs(vim.split(text, '\n', { plain = true })) do
    self:line('> ' .. line, 'PlokeQuestion')
  end
  self.runs, self.links = {}, {}
end

function Section:position()
  local pos = vim.api.nvim_buf_get_extmark_by_id(buffer, namespace, self.tail, {})
  return pos[1], pos[2]
end

--- Inserts at the section's end; the tail mark moves along.
function Section:insert(text)
  local row, col = self:position()
  edit(function()
    vim.api.nvim_buf_set_text(buffer, row, col, row, col, vim.split(text, '\n', { plain = true }))
  end)
end

--- Nothing more is expected of the section: one blank line parts it from the next.
function Section:close()
  self.open = nil
  local row, col = self:position()
  if col == 0 and vim.api.nvim_buf_get_lines(buffer, row, row + 2, false)[2] == '' then
    edit(function()
      vim.api.nvim_buf_set_lines(buffer, row + 1, row + 2, false, {})
    end)
  end
end

--- Makes sure that a blank line stands before what comes.
function Section:paragraph()
  local row, col = self:position()
  local above = vim.api.nvim_buf_get_lines(buffer, row - 1, row, false)[1]
  if col > 0 then
    self:insert('\n\n')
  elseif above ~= '' then
    self:insert('\n')
  end
end

--- Appends streamed Markdown, in runs between the lines of our own.
function Section:write(text)
  if not self.run then
    text = text:gsub('^\n+', '') -- what parts two steps of an answer that we show apart anyway
    if text == '' then
      return
    end
    local row, col = self:position()
    self.run = vim.api.nvim_buf_set_extmark(buffer, namespace, row, col, { right_gravity = false })
    table.insert(self.runs, self.run)
    if self.in_lines then
      self:paragraph()
    end
  end
  self:insert(text)
end

--- Ends the run of Markdown: what comes is not part of it.
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

--- Takes back the Markdown since the last question and what it cites; the lines of our own stay.
function Section:take_back()
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

--- Appends a line of our own, set off from the Markdown around it.
--- @return number the extmark that spans the line
function Section:line(text, group)
  if self.run or not self.in_lines then
    self.in_lines = true
    self:paragraph()
    self:end_run()
  end
  local row = self:position()
  text = text:gsub('\n', ' ')
  self:insert(text .. '\n')
  return vim.api.nvim_buf_set_extmark(buffer, namespace, row, 0, { end_col = #text, hl_group = group })
end

--- Replaces the text of a line made by `line`.
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

--- Shows a tool call in one line, which changes as the call does.
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

local function remember(mark, place, encoding)
  cited[mark] = { citation = place, encoding = encoding }
end

--- The citation of a row: it has one at most.
local function cited_on(row)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, { row, 0 }, { row, -1 }, {})) do
    if cited[mark[1]] then
      return cited[mark[1]]
    end
  end
end

--- Where the section's first link to a place stands that has no citation yet: its row, and the
--- columns of its opening bracket and of what follows its text.
function Section:link_to(place)
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

--- Ties a citation to the link that was written for it: its text remains visible, and the symbol's name joins it.
--- @param place ploke.Citation
function Section:cite(place)
  local row, open, close, after = self:link_to(place)
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
  remember(mark(after, { virt_text = name }), place, self.encoding)
end

--- Lists the citations that the answer did not link to.
--- @param places ploke.Citation[]
function Section:sources(places)
  for _, place in ipairs(places) do
    local label = citation.label(place)
    if not self.linked[label] then
      self.linked[label] = true
      remember(self:line('→ ' .. label, 'PlokeCitation'), place, self.encoding)
    end
  end
end

--- The row of the fence that opens the block around a row, if one does.
local function fence_around(row)
  local fence, length -- of the block that is open
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

--- The citation of a row (0-based): its own, else that of the line above the fenced block around it.
--- @return { citation: ploke.Citation, encoding: string }|nil
function M.citation_at(row)
  local fence = fence_around(row)
  return cited_on(row) or fence and fence > 0 and cited_on(fence - 1) or nil
end

--- Opens the place that is cited under the cursor.
function M.follow()
  local found = M.citation_at(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if found then
    citation.open(found.citation, found.encoding)
  else
    vim.notify('ploke: nothing is cited here; lines with → and code blocks have a place', vim.log.levels.INFO)
  end
end

return M
