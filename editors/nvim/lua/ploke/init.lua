--- The plugin's public interface, for configurations and for plugins that build on it. :help ploke-api describes it.
--- User autocommands tell what happens: :help ploke-events.

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
  require('ploke.turns').ask({ text = question, attachments = attachments })
end

--- Stops every running answer, and withdraws the queued questions.
function M.stop()
  require('ploke.turns').stop()
end

--- Opens the chat with the current conversation, and goes there.
function M.open()
  require('ploke.last_conversation').open_chat()
end

--- Begins a new conversation in the chat, and goes there.
function M.new()
  require('ploke.last_conversation').new()
end

--- Sends a request to the server of the current buffer, as soon as it accepts one; it starts if needed.
--- @param method string such as ploke/search, see docs/protocol.md of ploke-lsp
--- @param params table
--- @param callback fun(err: { code: number, message: string }|nil, result: table|nil)
function M.request(method, params, callback)
  require('ploke.client').with(function(server)
    require('ploke.client').call(server.client, 'request', method, vim.tbl_isempty(params) and vim.empty_dict() or params, callback)
  end)
end

return M
