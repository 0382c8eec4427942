--- The chat's buffer. At its top is the transcript, which only the plugin changes. Below it are one blank line, the border,
--- and the prompt, which only the person changes. Neovim's undo is off here, because each text that streams in would be a
--- step of it; the prompt has an undo of its own (chat_undo.lua). Rows are 0-based.

local M = {}

M.name = 'ploke://chat'
M.namespace = vim.api.nvim_create_namespace('ploke.chat')

local buffer -- while it is loaded
local border -- the extmark of the border
local border_row
local ours = false -- whether the plugin is changing the text
local damaged -- called after the person has changed the transcript

--- @return number|nil the buffer, while it is loaded
function M.get()
  return buffer
end

--- @return number the row behind the transcript
function M.border()
  return border_row
end

--- @return boolean whether a row belongs to the prompt
function M.in_prompt(row)
  return row > border_row
end

function M.lines(first, last)
  return vim.api.nvim_buf_get_lines(buffer, first, last, false)
end

--- @return number, number the row and the column of an extmark
function M.mark(id)
  local position = vim.api.nvim_buf_get_extmark_by_id(buffer, M.namespace, id, {})
  return position[1], position[2]
end

--- Sets an extmark. @return number its id
function M.set_mark(row, col, options)
  return vim.api.nvim_buf_set_extmark(buffer, M.namespace, row, col, options)
end

function M.delete_mark(id)
  vim.api.nvim_buf_del_extmark(buffer, M.namespace, id)
end

--- Draws on the border.
--- @param words table[] as the virt_text of an extmark
function M.draw_border(words)
  border = M.set_mark(border_row, 0, { id = border, virt_text = words, virt_text_pos = 'overlay' })
end

--- Neovim keeps the cursor of the current window in view when the text above it grows, but no other cursor.
local function keep_prompts_in_view()
  for _, win in ipairs(vim.fn.win_findbuf(buffer)) do
    local cursor = vim.api.nvim_win_get_cursor(win)
    if win ~= vim.api.nvim_get_current_win() and M.in_prompt(cursor[1] - 1) then
      vim.api.nvim_win_set_cursor(win, cursor)
    end
  end
end

--- Changes the text. `change` must not call `edit`.
function M.edit(change)
  local modifiable = vim.api.nvim_buf_get_option(buffer, 'modifiable')
  vim.api.nvim_buf_set_option(buffer, 'modifiable', true)
  ours = true
  local ok, err = pcall(change)
  ours = false
  vim.api.nvim_buf_set_option(buffer, 'modifiable', modifiable)
  border_row = M.mark(border)
  keep_prompts_in_view()
  if not ok then
    error(err, 0)
  end
end

--- Restores what is below the transcript: the border, if it is gone, and at least one line of the prompt. The cursor
--- goes there if it was in the prompt.
local function repair(border_is_gone)
  vim.api.nvim_buf_set_option(buffer, 'modifiable', true)
  ours = true
  if border_is_gone then
    local options = vim.api.nvim_buf_get_extmark_by_id(buffer, M.namespace, border, { details = true })[3]
    vim.api.nvim_buf_set_lines(buffer, border_row, border_row, false, { '' })
    M.draw_border(options.virt_text)
  end
  if vim.api.nvim_buf_line_count(buffer) == border_row + 1 then
    vim.api.nvim_buf_set_lines(buffer, border_row + 1, border_row + 1, false, { '' })
  end
  ours = false
  if vim.api.nvim_get_current_buf() == buffer and vim.fn.line('.') <= border_row + 1 then
    vim.api.nvim_win_set_cursor(0, { border_row + 2, 0 })
  end
  M.guard_current()
end

--- Handles a change of the person's: what is below the transcript is restored, and a changed transcript is drawn again.
local function on_lines(_, _, _, first, last, new_last)
  local whole = first > border_row and vim.api.nvim_buf_line_count(buffer) > border_row + 1
  if ours or whole then
    return
  end
  local border_is_gone = first <= border_row and last > border_row
  local harmed = first < border_row
  if harmed then
    border_row = border_is_gone and first or border_row + new_last - last
  end
  vim.schedule(function()
    if buffer then
      repair(border_is_gone)
      if harmed then
        damaged()
      end
    end
  end)
end

--- Lets the person change the text only if the cursor, and the selection, are in the prompt. Insert mode stays there.
function M.guard()
  local line = vim.fn.line('.')
  if vim.api.nvim_get_mode().mode:find('^[iR]') and not M.in_prompt(line - 1) then
    vim.api.nvim_win_set_cursor(0, { border_row + 2, 0 })
    line = border_row + 2
  end
  vim.api.nvim_buf_set_option(buffer, 'modifiable', M.in_prompt(math.min(line, vim.fn.line('v')) - 1))
end

--- Does the same after the plugin has moved the cursor of a window.
function M.guard_current()
  if vim.api.nvim_get_current_buf() == buffer then
    M.guard()
  end
end

--- Loads the buffer: an empty transcript and an empty prompt.
--- @param on_damage function called after the person has changed the transcript
--- @param on_unload function
--- @return number
function M.load(on_damage, on_unload)
  buffer = vim.fn.bufadd(M.name)
  vim.api.nvim_buf_set_option(buffer, 'buftype', 'nofile')
  vim.fn.bufload(buffer)
  for option, value in pairs({ bufhidden = 'hide', swapfile = false, undolevels = -1, buflisted = false, modifiable = true }) do
    vim.api.nvim_buf_set_option(buffer, option, value)
  end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, { '', '' })
  border_row, border, damaged = 0, nil, on_damage
  M.draw_border({})
  vim.api.nvim_buf_attach(buffer, false, { on_lines = on_lines })
  local group = vim.api.nvim_create_augroup('ploke.chat_buffer', {})
  vim.api.nvim_create_autocmd({ 'CursorMoved', 'CursorMovedI', 'InsertEnter', 'BufEnter' }, { group = group, buffer = buffer, callback = M.guard })
  vim.api.nvim_create_autocmd('BufUnload', {
    group = group, buffer = buffer, once = true,
    callback = function()
      on_unload()
      buffer = nil
    end,
  })
  return buffer
end

return M
