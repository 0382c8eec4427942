--- The life cycle of the servers: one server for each root folder, started for its first buffer or
--- command. Differences between versions of Neovim are handled in this file only.

local config = require('ploke.config')
local editor_state = require('ploke.editor_state')
local protocol = require('ploke.protocol')
local status = require('ploke.status')

local M = {}

local servers = {} -- root folder -> { root, id, client (once initialized), waiting = functions }
local last_root -- root folder of the last attached file
local warned = false -- about the missing server program

local methods = protocol.methods

-- Client capabilities beyond the LSP standard.
local understood = {
  ploke = {
    version = protocol.version,
    oldest = protocol.oldest_version,
    methods = { methods.event, methods.permission_ask, methods.client_diagnostics, methods.client_state },
  },
}

local methods_take_self = vim.fn.has('nvim-0.11') == 1

local function launch(options)
  if vim.fn.has('nvim-0.11') == 1 then
    return vim.lsp.start(options, { attach = false, reuse_client = function() return false end })
  end
  return vim.lsp.start_client(options) -- vim.lsp.start of 0.8 to 0.10 always attaches the current buffer
end

--- Calls a method of Neovim's client object.
function M.call(client, method, ...)
  if methods_take_self then
    return client[method](client, ...)
  end
  return client[method](...)
end

local function capabilities()
  local caps = vim.lsp.protocol.make_client_capabilities()
  caps.experimental = vim.tbl_extend('force', caps.experimental or {}, understood)
  return caps
end

local function on_progress(err, params, ctx, conf)
  if require('ploke.turns').partial(params.token, params.value) then
    return
  end
  status.progress(ctx.client_id, params)
  return vim.lsp.handlers['$/progress'](err, params, ctx, conf)
end

local function on_event(_, params, ctx)
  require('ploke.turns').event(M.by_id(ctx.client_id), params)
end

--- Neovim replies as soon as a handler returns, so the answer follows in a request of its own.
local function on_permission(_, question)
  require('ploke.permission').ask(question)
  return { answer = 'later' }
end

local function on_diagnostics(_, params, ctx)
  return editor_state.diagnostics(params, M.encoding(M.by_id(ctx.client_id)))
end

local function on_state(_, _, ctx)
  return editor_state.state(M.encoding(M.by_id(ctx.client_id)))
end

local handlers = {
  ['$/progress'] = on_progress,
  [methods.event] = on_event,
  [methods.permission_ask] = on_permission,
  [methods.client_diagnostics] = on_diagnostics,
  [methods.client_state] = on_state,
}

local function on_init(server, client, result)
  -- Neovim 0.7 reads only the older offsetEncoding.
  client.offset_encoding = result.capabilities.positionEncoding or client.offset_encoding
  vim.schedule(function() -- didOpen goes out right after on_init
    server.client = client
    local waiting = server.waiting
    server.waiting = {}
    for _, callback in ipairs(waiting) do
      callback(server)
    end
    status.set('start ' .. server.root, nil)
  end)
end

local function on_exit(server, code, signal)
  servers[server.root] = nil
  status.set('start ' .. server.root, nil)
  status.servers(-1)
  status.forget(server.id)
  require('ploke.turns').server_ended(server)
  if vim.v.exiting == vim.NIL and (code ~= 0 or signal ~= 0) then
    vim.notify(('ploke: the server ended with status %d (signal %d); :Ploke log shows its output, the next :Ploke ask starts it again')
      :format(code, signal), vim.log.levels.ERROR)
  end
end

local function missing(cmd)
  return ('ploke: %s is not executable; build ploke-lsp and put it into $PATH, or name it: require("ploke").setup { cmd = { "/path/to/ploke-lsp", "serve" } }')
    :format(cmd)
end

local function start(root)
  local conf = config.get()
  if vim.fn.executable(conf.cmd[1]) == 0 then
    return nil, missing(conf.cmd[1])
  end
  local server = { root = root, waiting = {} }
  server.id = launch({
    name = 'ploke',
    cmd = conf.cmd,
    cmd_env = conf.cmd_env,
    root_dir = root,
    capabilities = capabilities(),
    init_options = vim.tbl_extend('force', conf.settings, { clientCapabilities = understood }),
    handlers = handlers,
    on_init = function(client, result)
      on_init(server, client, result)
    end,
    on_exit = vim.schedule_wrap(function(code, signal)
      on_exit(server, code, signal)
    end),
  })
  if not server.id then
    return nil, 'ploke: the server did not start; run :checkhealth ploke'
  end
  servers[root] = server
  editor_state.watch()
  status.set('start ' .. root, 'starting')
  status.servers(1)
  return server
end

local function root_of(bufnr)
  local path = vim.api.nvim_buf_get_name(bufnr)
  if path == '' or path:find('^%a[%w+.-]*://') or vim.api.nvim_buf_get_option(bufnr, 'buftype') ~= '' then
    return nil
  end
  return config.get().root(path)
end

--- Attaches a file buffer to the server of its root folder.
function M.attach(bufnr)
  local root = root_of(bufnr)
  if not root or not (config.get().autostart or servers[root]) then
    return
  end
  last_root = root
  local server, err = servers[root]
  if not server then
    server, err = start(root)
  end
  if server then
    vim.lsp.buf_attach_client(bufnr, server.id)
  elseif not warned then
    warned = true -- not again for each opened file
    vim.notify(err, vim.log.levels.WARN)
  end
end

local function attach_all(server)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and root_of(bufnr) == server.root then
      vim.lsp.buf_attach_client(bufnr, server.id)
    end
  end
end

--- Calls back with the server of the current buffer, of the last file, or of the current folder, as
--- soon as it accepts requests. Starts the server if needed.
--- @param callback fun(server: { root: string, id: number, client: table })
function M.with(callback)
  local root = root_of(vim.api.nvim_get_current_buf()) or last_root or vim.fn.getcwd()
  local server, err = servers[root]
  if not server then
    server, err = start(root)
    if not server then
      vim.notify(err, vim.log.levels.ERROR)
      return
    end
    attach_all(server)
  end
  if server.client then
    callback(server)
  else
    table.insert(server.waiting, callback)
  end
end

--- @return table|nil the server with this client id
function M.by_id(id)
  for _, server in pairs(servers) do
    if server.id == id then
      return server
    end
  end
end

--- @return table[] the running servers
function M.running()
  return vim.tbl_values(servers)
end

--- @return string the position encoding that the server chose, e.g. 'utf-16'
function M.encoding(server)
  return server.client and server.client.offset_encoding or 'utf-16'
end

return M
