--- The chat: a buffer in a split with the sections of a conversation and, at its end, the prompt. It does not depend on
--- servers.

local buffer = require('ploke.chat_buffer')
local code_block = require('ploke.code_block')
local config = require('ploke.config')
local highlight = require('ploke.chat_highlight')
local keys = require('ploke.keys')
local name_links = require('ploke.chat_name_links')
local places = require('ploke.chat_places')
local prompt = require('ploke.chat_prompt')
local say = require('ploke.say')
local section = require('ploke.chat_section')
local steps = require('ploke.chat_steps')
local welcome = require('ploke.chat_welcome')

local M = {}

local sections = {} -- those in the buffer, in their order

local function detach_sections()
  vim.tbl_map(section.detach, sections)
  sections = {}
  places.clear()
end

--- Draws the conversation again after the person has changed the transcript.
local function restore()
  say.warn('only the prompt can be changed; the conversation is shown again as it is')
  require('ploke.conversation').redraw()
end

local function set_up_window(win)
  for name, value in pairs({ wrap = true, linebreak = true, number = false, relativenumber = false, signcolumn = 'no', conceallevel = 2, concealcursor = 'nc' }) do
    vim.api.nvim_win_set_option(win, name, value)
  end
  steps.show(win)
  welcome.show_model()
end

local function load_buffer()
  local bufnr = buffer.load(restore, function()
    prompt.store()
    detach_sections()
  end)
  vim.api.nvim_buf_set_option(bufnr, 'filetype', 'ploke')
  highlight.start(bufnr)
  keys.attach(bufnr, 'chat')
  prompt.attach(bufnr)
  welcome.show()
  vim.api.nvim_create_autocmd('BufWinEnter', {
    group = vim.api.nvim_create_augroup('ploke.chat', {}), buffer = bufnr,
    callback = function() set_up_window(vim.api.nvim_get_current_win()) end,
  })
  return bufnr
end

--- Opens the chat's split or finds it. The focus does not change.
--- @return number the window
function M.open()
  local bufnr = buffer.get() or load_buffer()
  local win = vim.fn.win_findbuf(bufnr)[1]
  if win and vim.api.nvim_win_get_tabpage(win) == vim.api.nvim_get_current_tabpage() then
    return win
  end
  local origin = vim.api.nvim_get_current_win()
  vim.cmd(config.get().split)
  win = vim.api.nvim_get_current_win()
  vim.api.nvim_win_set_buf(win, bufnr)
  prompt.go()
  vim.api.nvim_set_current_win(origin)
  return win
end

--- Opens the chat and lets the person write in the prompt.
--- @param attachment ploke.Attachment|nil mentioned there
function M.write(attachment)
  vim.api.nvim_set_current_win(M.open())
  if attachment then
    prompt.mention(attachment)
  end
  prompt.go()
  vim.cmd('startinsert!')
end

--- Empties the transcript. The prompt stays.
function M.clear()
  detach_sections()
  if not buffer.get() then
    return
  end
  vim.api.nvim_buf_clear_namespace(buffer.get(), buffer.namespace, 0, buffer.border())
  steps.clear()
  name_links.clear()
  buffer.edit(function()
    vim.api.nvim_buf_set_lines(buffer.get(), 0, buffer.border(), false, {})
  end)
  welcome.show()
end

--- Starts a section at the end of the transcript, and opens the split.
--- @param question string
--- @param attachments ploke.Attachment[]|nil
--- @param encoding string position encoding of its citations
function M.section(question, attachments, encoding)
  M.open()
  local above = sections[#sections]
  table.insert(sections, section.new(question, attachments, encoding, above and above.open))
  welcome.show()
  return sections[#sections]
end

--- Scrolls the windows of the chat so that a question is at the top. A window in whose prompt the person is writing
--- stays where it is.
function M.scroll_to(asked)
  local row = asked:row()
  for _, win in ipairs(row and vim.fn.win_findbuf(buffer.get()) or {}) do
    local writes = win == vim.api.nvim_get_current_win() and vim.api.nvim_get_mode().mode:find('^[iR]')
    if not writes then
      vim.api.nvim_win_call(win, function()
        vim.fn.winrestview({ topline = row + 1, lnum = row + 1, col = 0, leftcol = 0 })
      end)
    end
  end
  buffer.guard_current()
end

--- Returns the section of a stored question.
--- @param id string of the message
function M.section_of(id)
  for _, candidate in ipairs(sections) do
    if candidate.question_id == id then
      return candidate
    end
  end
end

--- Scrolls to the last question, and puts the cursor into the prompt.
function M.show_end()
  for _, win in ipairs(buffer.get() and vim.fn.win_findbuf(buffer.get()) or {}) do
    vim.api.nvim_win_call(win, prompt.go)
  end
end

--- Gives a message back to the person who sent it.
function M.take_back(text)
  M.open()
  prompt.take_back(text)
end

--- @return table|nil the section around a row, else the last one
function M.section_at(row)
  local found
  for _, candidate in ipairs(sections) do
    local first = candidate:row()
    found = first and (first <= row or not found) and candidate or found
  end
  return found
end

--- @return table|nil the section that a command is about: the one under the cursor in the transcript, else the last one
function M.current_section()
  local here = vim.api.nvim_get_current_buf() == buffer.get()
  local row = here and vim.fn.line('.') - 1 or math.huge
  return M.section_at(here and buffer.in_prompt(row) and math.huge or row)
end

--- Moves the cursor over questions, and from the last one to the prompt.
--- @param count number of questions, negative towards the top
function M.go(count)
  local rows = {}
  for _, each in ipairs(sections) do
    table.insert(rows, each:row())
  end
  table.insert(rows, buffer.border() + 1)
  local here, target = vim.fn.line('.') - 1, nil
  if count > 0 then
    local after = vim.tbl_filter(function(row) return row > here end, rows)
    target = after[math.min(count, #after)]
  else
    local before = vim.tbl_filter(function(row) return row < here end, rows)
    target = before[math.max(#before + 1 + count, 1)]
  end
  if target then
    vim.cmd("normal! m'")
    vim.api.nvim_win_set_cursor(0, { target + 1, 0 })
  end
end

--- Yanks the code block under the cursor into the register of the command.
function M.yank()
  local code = code_block.code(buffer.get(), vim.fn.line('.') - 1)
  if not code then
    say.info('the cursor is in no code block')
    return
  end
  vim.fn.setreg(vim.v.register, code, 'l')
  say.info(('%d %s of code yanked'):format(#code, #code == 1 and 'line' or 'lines'))
end

--- Returns the window of the file that the person was in last.
local function file_window()
  local windows = vim.api.nvim_tabpage_list_wins(0)
  table.insert(windows, 1, vim.fn.win_getid(vim.fn.winnr('#')))
  for _, win in ipairs(windows) do
    local bufnr = win ~= 0 and vim.api.nvim_win_get_buf(win)
    if bufnr and vim.api.nvim_buf_get_option(bufnr, 'buftype') == '' and vim.api.nvim_buf_get_option(bufnr, 'modifiable') then
      return win
    end
  end
end

--- Puts the code block under the cursor below the cursor of the file that the person was in last. |u| there takes it back.
function M.put()
  local code, win = code_block.code(buffer.get(), vim.fn.line('.') - 1), file_window()
  if not code then
    return say.info('the cursor is in no code block')
  elseif not win then
    return say.info('no window shows a file that can be changed')
  end
  vim.api.nvim_set_current_win(win)
  local row = vim.api.nvim_win_get_cursor(win)[1]
  vim.api.nvim_buf_set_lines(0, row, row, false, code)
  vim.api.nvim_win_set_cursor(win, { row + 1, 0 })
  vim.cmd('normal! zv')
end

--- Sends the message if the cursor is in the prompt, else opens what the line under the cursor cites.
function M.enter()
  if buffer.in_prompt(vim.fn.line('.') - 1) then
    prompt.send()
  elseif vim.fn.line('.') - 1 == buffer.border() then
    prompt.go()
  else
    places.follow()
  end
end

return M
