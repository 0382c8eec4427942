--- The life cycle of the servers: one server for each root folder, started for its first buffer or
--- command, or by vim.lsp.enable. Differences between versions of Neovim are handled in this file only.

local config = require('ploke.config')
local editor_state = require('ploke.editor_state')
local methods = require('ploke.protocol').methods
local status = require('ploke.status')

local M = {}

local servers = {} -- root folder -> { root, id (once known), client (once initialized), waiting = functions }
local last_root -- root folder of the last attached file
local warned = false -- about the missing server program

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

--- Returns the server of a root folder, which is new if none runs or starts there.
local function register(root)
  if not servers[root] then
    servers[root] = { root = root, waiting = {} }
    editor_state.watch()
    require('ploke.review_view').watch()
    status.set('start ' .. root, 'starting')
    status.servers(1)
  end
  return servers[root]
end

local function ready(server, client)
  server.client = client
  local waiting = server.waiting
  server.waiting = {}
  for _, callback in ipairs(waiting) do
    callback(server)
  end
  status.set('start ' .. server.root, nil)
end

local function on_init(client, result)
  -- Neovim 0.7 reads only the older offsetEncoding.
  client.offset_encoding = result.capabilities.positionEncoding or client.offset_encoding
  local server = register(client.config.root_dir)
  server.id = client.id
  vim.schedule(function() -- didOpen goes out right after on_init
    ready(server, client)
  end)
end

local function ended(server, code, signal)
  servers[server.root] = nil
  status.set('start ' .. server.root, nil)
  status.servers(-1)
  if server.id then
    status.forget(server.id)
  end
  require('ploke.turns').server_ended(server)
  require('ploke.review').server_ended(server)
  if vim.v.exiting == vim.NIL and (code ~= 0 or signal ~= 0) then
    vim.notify(('ploke: the server ended with status %d (signal %d); :Ploke log shows its output, the next :Ploke ask starts it again')
      :format(code, signal), vim.log.levels.ERROR)
  end
end

local function on_exit(code, signal, id)
  local client = vim.lsp.get_client_by_id(id)
  local server = M.by_id(id) or client and servers[client.config.root_dir]
  vim.schedule(function()
    if server and servers[server.root] == server then
      ended(server, code, signal)
    end
  end)
end

local function missing(cmd)
  return ('ploke: %s is not executable; build ploke-lsp and put it into $PATH, or name it: require("ploke").setup { cmd = { "/path/to/ploke-lsp", "serve" } }')
    :format(cmd)
end

--- Returns the configuration of a client, but for its root folder. Whoever starts the client, it becomes a
--- server of the plugin.
function M.options()
  return vim.tbl_extend('force', require('ploke.client_options').get(), {
    before_init = function(_, options)
      register(options.root_dir)
    end,
    on_init = on_init,
    on_exit = on_exit,
  })
end

--- Returns the client that runs in a root folder although the plugin has not started it.
local function running(root)
  for _, client in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if client.name == 'ploke' and client.config.root_dir == root then
      return client
    end
  end
end

--- Makes a client of another configuration a server of the plugin, if it has the plugin's handlers.
local function take_over(client)
  local root = client.config.root_dir
  if not (client.config.handlers or {})[methods.event] then
    return nil, ('ploke: another configuration has started ploke-lsp in %s, without a chat; remove it, or use vim.lsp.enable("ploke") instead')
      :format(root)
  end
  local server = register(root)
  server.id = client.id
  ready(server, client)
  return server
end

local function start(root)
  local client = running(root)
  if client then
    return take_over(client)
  end
  local options = vim.tbl_extend('force', M.options(), { root_dir = root })
  if vim.fn.executable(options.cmd[1]) == 0 then
    return nil, missing(options.cmd[1])
  end
  local server = register(root)
  local id = launch(options)
  if not id then
    ended(server, 0, 0)
    return nil, 'ploke: the server did not start; run :checkhealth ploke'
  end
  server.id = id
  return server
end

--- Returns the root folder of a file buffer, nil if it has none.
function M.root_of(bufnr)
  local path = vim.api.nvim_buf_get_name(bufnr)
  if path == '' or path:find('^%a[%w+.-]*://') or vim.api.nvim_buf_get_option(bufnr, 'buftype') ~= '' then
    return nil
  end
  return config.get().root(path)
end

local function attach_to(server, bufnr)
  if server.id then
    vim.lsp.buf_attach_client(bufnr, server.id)
  else -- vim.lsp.enable starts it
    table.insert(server.waiting, function()
      vim.lsp.buf_attach_client(bufnr, server.id)
    end)
  end
end

--- Attaches a file buffer to the server of its root folder.
function M.attach(bufnr)
  local root = M.root_of(bufnr)
  if not root or not (config.get().autostart or servers[root]) then
    return
  end
  last_root = root
  local server, err = servers[root]
  if not server then
    server, err = start(root)
  end
  if server then
    attach_to(server, bufnr)
  elseif not warned then
    warned = true -- not again for each opened file
    vim.notify(err, vim.log.levels.WARN)
  end
end

local function attach_all(server)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and M.root_of(bufnr) == server.root then
      attach_to(server, bufnr)
    end
  end
end

--- Calls back with the server of the current buffer, of the last file, or of the current folder, as
--- soon as it accepts requests. Starts the server if needed.
--- @param callback fun(server: { root: string, id: number, client: table })
function M.with(callback)
  local root = M.root_of(vim.api.nvim_get_current_buf()) or last_root or vim.fn.getcwd()
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
