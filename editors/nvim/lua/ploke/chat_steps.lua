--- The steps of an answer, which are tool calls and thoughts, as folds of the chat's windows. Steps are folded together
--- once they are over. A single line is not folded.

local buffer = require('ploke.chat_buffer')

local M = {}

M.call = '› ' -- begins the line of a tool call
M.thought = '┊ ' -- begins each line of a thought

local namespace = vim.api.nvim_create_namespace('ploke.chat.steps') -- an extmark spans the lines of each fold

--- Folds lines in a window, unless its cursor is in them. Lines are 1-based.
local function fold_in(win, first, last)
  if vim.api.nvim_win_get_option(win, 'foldmethod') ~= 'manual' then
    return -- the user folds the chat in another way
  end
  vim.api.nvim_win_call(win, function()
    local line = vim.fn.line('.')
    vim.cmd(('%d,%dfold'):format(first, last))
    if line >= first and line <= last then
      vim.cmd(('%dfoldopen'):format(first))
    end
  end)
end

--- Folds rows in all windows of the chat.
--- @param first number
--- @param last number inclusive
function M.fold(first, last)
  if last <= first then
    return
  end
  vim.api.nvim_buf_set_extmark(buffer.get(), namespace, first, 0, { end_row = last, end_col = 0 })
  for _, win in ipairs(vim.fn.win_findbuf(buffer.get())) do
    fold_in(win, first + 1, last + 1)
  end
end

--- Sets up the folds of a new window.
function M.show(win)
  local options = { foldmethod = 'manual', foldenable = true, foldtext = "v:lua.require'ploke.chat_steps'.text()", fillchars = 'fold: ' }
  for name, value in pairs(options) do
    vim.api.nvim_win_set_option(win, name, value)
  end
  local colors = vim.api.nvim_win_get_option(win, 'winhighlight')
  if not colors:find('Folded:', 1, true) then -- else the steps stand out of the answer like a message
    vim.api.nvim_win_set_option(win, 'winhighlight', colors .. (colors == '' and '' or ',') .. 'Folded:PlokeStep')
  end
  vim.api.nvim_win_call(win, function() vim.cmd('normal! zE') end)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer.get(), namespace, 0, -1, { details = true })) do
    fold_in(win, mark[2] + 1, mark[4].end_row + 1)
  end
end

function M.clear()
  vim.api.nvim_buf_clear_namespace(buffer.get(), namespace, 0, -1)
end

--- Describes the steps in lines by their number, and by their names in the order in which they first come. Adjacent
--- lines of thought are one step.
local function describe(lines)
  local order, times, count, failed, thinks = {}, {}, 0, 0, false
  for _, line in ipairs(lines) do
    local thought = vim.startswith(line, M.thought)
    local name = thought and 'thought' or line:match('^› ([%w_]+)')
    if name and not (thought and thinks) then
      if not times[name] then
        table.insert(order, name)
      end
      times[name], count = (times[name] or 0) + 1, count + 1
    end
    failed = failed + (not thought and line:find('^› [%w_]+ failed') and 1 or 0)
    thinks = thought
  end
  for i, name in ipairs(order) do
    order[i] = times[name] > 1 and ('%s ×%d'):format(name, times[name]) or name
  end
  local ended = failed > 0 and (', %d failed'):format(failed) or ''
  return ('%d %s: %s%s'):format(count, count == 1 and 'step' or 'steps', table.concat(order, ', '), ended)
end

--- The 'foldtext' of the chat: which steps are folded.
function M.text()
  return M.call .. describe(vim.fn.getline(vim.v.foldstart, vim.v.foldend))
end

return M
