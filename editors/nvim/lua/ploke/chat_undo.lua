--- Undo and redo of what the person changes in the prompt. A change in normal mode and a stay in insert mode are one step
--- each, as in any buffer; so is what the plugin puts there or takes from there, such as a message that is sent.

local buffer = require('ploke.chat_buffer')
local say = require('ploke.say')

local M = {}

local limit = 500
local states, at = {}, 0 -- { lines, row below the border, col }; `at` is the one that is shown

local function cursor()
  if vim.api.nvim_get_current_buf() ~= buffer.get() then
    return 1, 0
  end
  local position = vim.api.nvim_win_get_cursor(0)
  return math.max(position[1] - 1 - buffer.border(), 1), position[2]
end

--- Forgets all steps. The prompt as it is becomes the first state.
function M.clear()
  states, at = {}, 0
  M.record()
end

--- Records the prompt as it is, if it has changed.
function M.record()
  local lines = buffer.lines(buffer.border() + 1, -1)
  if states[at] and vim.deep_equal(states[at].lines, lines) then
    return
  end
  for i = #states, at + 1, -1 do
    states[i] = nil
  end
  local row, col = cursor()
  table.insert(states, { lines = lines, row = row, col = col })
  if #states > limit then
    table.remove(states, 1)
  end
  at = #states
end

local function go(by, nothing)
  M.record()
  local state = states[at + by]
  if not state then
    say.info('the prompt has nothing to ' .. nothing)
    return
  end
  at = at + by
  buffer.edit(function()
    vim.api.nvim_buf_set_lines(buffer.get(), buffer.border() + 1, -1, false, state.lines)
  end)
  local row = math.min(state.row, #state.lines)
  vim.api.nvim_win_set_cursor(0, { buffer.border() + 1 + row, state.col })
end

--- Takes the last step back.
function M.undo()
  go(-1, 'undo')
end

--- Does the step again that was taken back last.
function M.redo()
  go(1, 'redo')
end

return M
