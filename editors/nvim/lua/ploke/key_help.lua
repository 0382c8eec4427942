--- The keys of a place, with what they do, in a small window.

local keys = require('ploke.keys')

local M = {}

local titles = { chat = 'Keys in the chat', review = 'Keys in files with hunks' }

--- Returns the lines of the window.
local function lines_of(place)
  local lines, widest = { titles[place] .. '; q closes this', '' }, 0
  local listed = keys.list(place)
  for _, action in ipairs(listed) do
    widest = math.max(widest, #table.concat(action.keys, ', '))
  end
  for _, action in ipairs(listed) do
    table.insert(lines, ('%-' .. widest .. 's  %s'):format(table.concat(action.keys, ', '), action.desc))
  end
  return lines
end

--- Opens the window.
--- @param place 'chat'|'review'
function M.open(place)
  local lines, origin = lines_of(place), vim.api.nvim_get_current_win()
  vim.cmd('botright new')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, lines)
  for name, value in pairs({ buftype = 'nofile', bufhidden = 'wipe', swapfile = false, modifiable = false }) do
    vim.api.nvim_buf_set_option(0, name, value)
  end
  vim.api.nvim_win_set_height(0, math.min(#lines, math.max(vim.o.lines - 10, 4)))
  vim.keymap.set('n', 'q', function()
    vim.cmd('close')
    vim.api.nvim_set_current_win(vim.api.nvim_win_is_valid(origin) and origin or vim.api.nvim_get_current_win())
  end, { buffer = true, nowait = true, desc = 'ploke: close the keys' })
end

return M
