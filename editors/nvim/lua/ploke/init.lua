--- The plugin's front door: what a user's configuration calls.

local M = {}

--- Changes settings; see lua/ploke/config.lua for all of them. Without it the defaults hold.
--- @param opts table|nil
function M.setup(opts)
  require('ploke.config').set(opts or {})
end

--- One line for a status line: '' without a server, 'ploke' at rest, else what is going on.
--- vim.g.ploke_status holds the same, and `User PlokeStatus` fires when it changes.
--- @return string
function M.status()
  return require('ploke.status').text()
end

--- Asks in the current conversation; the answer streams into the chat.
--- @param question string
--- @param attachments { uri: string, range: table|nil }[]|nil
function M.ask(question, attachments)
  require('ploke.turns').ask(question, attachments)
end

return M
