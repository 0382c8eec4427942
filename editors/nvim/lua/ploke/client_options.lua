--- What a client declares, and how it answers the requests of the server.

local config = require('ploke.config')
local editor_state = require('ploke.editor_state')
local protocol = require('ploke.protocol')
local say = require('ploke.say')
local status = require('ploke.status')

local M = {}

local methods = protocol.methods

-- Client capabilities beyond the LSP standard.
local understood = {
  ploke = {
    version = protocol.version,
    oldest = protocol.oldest_version,
    methods = {
      methods.event, methods.permission_ask, methods.client_diagnostics, methods.client_state, methods.client_servers,
      methods.client_ask,
    },
  },
}

--- Neovim 0.10 and newer can register these, although they do not say so. Then only the documents that have them get them.
local registered = vim.fn.has('nvim-0.10') == 1 and { 'completion', 'documentSymbol', 'foldingRange' } or {}

local function capabilities()
  local caps = vim.lsp.protocol.make_client_capabilities()
  caps.textDocument.codeAction.disabledSupport = false -- Neovim would wait for a key below the reason
  for _, feature in ipairs(registered) do
    local declared = caps.textDocument[feature] or {}
    declared.dynamicRegistration = true
  end
  caps.experimental = vim.tbl_extend('force', caps.experimental or {}, understood)
  return caps
end

local function on_progress(err, params, ctx, conf)
  if require('ploke.turns').partial(params.token, params.value) then
    return
  end
  local percent = status.progress(ctx.client_id, params)
  if percent then
    require('ploke.turns').indexing(ctx.client_id, percent)
  end
  return vim.lsp.handlers['$/progress'](err, params, ctx, conf)
end

local function on_event(_, params, ctx)
  local server = require('ploke.client').by_id(ctx.client_id)
  if params.type == 'review' then
    require('ploke.review').refresh(server)
  else
    require('ploke.turns').event(server, params)
  end
  if params.type == 'turnFinished' then
    require('ploke.change').ended(params.turnId, params.result)
  end
end

--- Neovim replies as soon as a handler returns, so the answer follows in a request of its own.
local function on_permission(_, question)
  require('ploke.permission').ask(question)
  return { answer = 'later' }
end

local function encoding(ctx)
  local client = require('ploke.client')
  return client.encoding(client.by_id(ctx.client_id))
end

local function on_diagnostics(_, params, ctx)
  return editor_state.diagnostics(params, encoding(ctx))
end

local function on_state(_, _, ctx)
  return editor_state.state(encoding(ctx))
end

local function on_servers(_, params)
  return require('ploke.lsp_servers').list(params)
end

local function on_ask(_, params, ctx)
  return require('ploke.lsp_bridge').ask(params, ctx.client_id)
end

-- The types of a window/showMessage.
local ways = { 'error', 'warn', 'info', 'info', 'info' }

local function on_message(_, params)
  say[ways[params.type] or 'info']((params.message:gsub('^ploke: ', '')))
end

--- Says why a command failed, in one line.
local function on_command(err)
  if err then
    say.error((err.message:gsub('^ploke: ', '')))
  end
end

local handlers = {
  ['$/progress'] = on_progress,
  ['window/showMessage'] = on_message,
  ['workspace/executeCommand'] = on_command,
  [methods.event] = on_event,
  [methods.permission_ask] = on_permission,
  [methods.client_diagnostics] = on_diagnostics,
  [methods.client_state] = on_state,
  [methods.client_servers] = on_servers,
  [methods.client_ask] = on_ask,
}

--- Returns the part of a client's configuration that does not depend on its life cycle.
function M.get()
  local conf = config.get()
  return {
    name = 'ploke',
    cmd = conf.cmd,
    cmd_env = conf.cmd_env,
    capabilities = capabilities(),
    init_options = vim.tbl_extend('force', conf.settings, { clientCapabilities = understood }),
    handlers = handlers,
  }
end

return M
