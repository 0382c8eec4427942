--- The plugin's public interface for a user's configuration.

local M = {}

--- Changes settings; lua/ploke/config.lua documents all of them. Not calling it keeps the defaults.
--- @param opts table|nil
function M.setup(opts)
  require('ploke.config').set(opts or {})
  require('ploke.neovim_lsp').forget_options()
end

--- Returns one line for a status line: '' without a server, 'ploke' when idle, else the current
--- activities. vim.g.ploke_status holds the same text, and `User PlokeStatus` fires when it
--- changes.
--- @return string
function M.status()
  return require('ploke.status').text()
end

--- Asks in the current conversation. The answer streams into the chat.
--- @param question string
--- @param attachments ploke.Attachment[]|nil
function M.ask(question, attachments)
  require('ploke.turns').ask(question, attachments)
end

return M
