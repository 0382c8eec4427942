--- The |User| autocommands with which other plugins and configurations follow what happens: see :help ploke-events.

local M = {}

M.names = { 'PlokeServerReady', 'PlokeServerEnded', 'PlokeStatus', 'PlokeTurnStart', 'PlokeTurnEnd', 'PlokeProposal', 'PlokePermission' }

--- Fires an event. Its data is in vim.g.ploke_event, too: Neovim 0.7 passes none to an autocommand.
--- @param name string one of `names`
--- @param data table
function M.fire(name, data)
  vim.g.ploke_event = data
  local options = { pattern = name, modeline = false }
  if vim.fn.has('nvim-0.8') == 1 then
    options.data = data
  end
  vim.api.nvim_exec_autocmds('User', options)
end

return M
