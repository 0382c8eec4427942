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
  for name, value in pairs({ wrap = true, linebreak = true, number = false, relativenumber = false, signcolumn = 'no' }) do
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
  local section = setmetatable({ encoding = encoding, calls = {}, seen = {} }, Section)
  edit(function()
    local count = vim.api.nvim_buf_line_count(buffer)
    local first = count
    if count == 1 and vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1] == '' then
      first = 0
    else
      table.insert(heading, 1, '')
    end
    vim.list_extend(heading, { '', '' })
    vim.api.nvim_buf_set_lines(buffer, first, -1, false, heading)
    local last = first + #heading - 1
    vim.api.nvim_buf_set_extmark(buffer, namespace, first, 0, { end_row = last - 1, hl_group = 'PlokeQuestion' })
    section.tail = vim.api.nvim_buf_set_extmark(buffer, namespace, last, 0, {})
  end)
  table.insert(sections, section)
  return section
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

--- Appends streamed Markdown.
function Section:write(text)
  if self.in_lines then
    self.in_lines = false
    self:paragraph()
  end
  self:insert(text)
end

--- Appends a line of our own, set off from the Markdown around it.
--- @return number the extmark that spans the line
function Section:line(text, group)
  if not self.in_lines then
    self.in_lines = true
    self:paragraph()
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

--- Shows a citation at the end of the line that is being written, so that the Markdown stays as it is.
--- @param place ploke.Citation
function Section:cite(place)
  self.seen[citation.label(place)] = true
  local row, col = self:position()
  local mark = vim.api.nvim_buf_set_extmark(buffer, namespace, row, col, {
    right_gravity = false,
    virt_text = { { '→ ' .. citation.label(place), 'PlokeCitation' } },
  })
  remember(mark, place, self.encoding)
end

--- Lists the citations that were not shown while the answer streamed.
--- @param places ploke.Citation[]
function Section:sources(places)
  for _, place in ipairs(places) do
    local label = citation.label(place)
    if not self.seen[label] then
      self.seen[label] = true
      remember(self:line('→ ' .. label, 'PlokeCitation'), place, self.encoding)
    end
  end
end

--- The rows of the fenced block around a row, fences included, or nil.
local function fence_around(row)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local first
  for i, line in ipairs(lines) do
    if line:match('^%s*```') then
      if not first then
        first = i - 1
      else
        if first <= row and row <= i - 1 then
          return first, i - 1
        end
        first = nil
      end
    end
    if i - 1 > row and not first then
      return nil
    end
  end
end

local function citations_between(first, last)
  local found = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer, namespace, { first, 0 }, { last, -1 }, {})) do
    if cited[mark[1]] then
      table.insert(found, cited[mark[1]])
    end
  end
  return found
end

--- The citations that belong to a row (0-based): its own, else those on or next to the fenced block around it.
--- @return { citation: ploke.Citation, encoding: string }[]
function M.citations_at(row)
  local found = citations_between(row, row)
  local first, last = fence_around(row)
  if #found > 0 or not first then
    return found
  end
  found = citations_between(math.max(first - 1, 0), first)
  return #found > 0 and found or citations_between(last, last + 1)
end

--- Opens the place that is cited under the cursor.
function M.follow()
  local found = M.citations_at(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if #found == 0 then
    vim.notify('ploke: nothing is cited here; lines with → and code blocks have a place', vim.log.levels.INFO)
  elseif #found == 1 then
    citation.open(found[1].citation, found[1].encoding)
  else
    vim.ui.select(found, {
      prompt = 'Open',
      format_item = function(item)
        return citation.label(item.citation)
      end,
    }, function(item)
      if item then
        citation.open(item.citation, item.encoding)
      end
    end)
  end
end

return M
