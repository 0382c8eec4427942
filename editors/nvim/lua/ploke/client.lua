--- The life cycle of the servers: one server for each root folder, started for its first buffer or
--- command, or by vim.lsp.enable, and started again when it ends by itself.

local client_end = require('ploke.client_end')
local config = require('ploke.config')
local editor_state = require('ploke.editor_state')
local events = require('ploke.events')
local methods = require('ploke.protocol').methods
local neovim_lsp = require('ploke.neovim_lsp')
local say = require('ploke.say')
local status = require('ploke.status')

local M = {}

local uv = vim.uv or vim.loop

-- root folder -> { root, since, id (once known), client (once initialized), waiting = functions, buffers = the set of those that were
-- attached, if Neovim tells }
local servers = {}
local last_root -- root folder of the last attached file
local warned = false -- about the missing server program

--- Calls a method of Neovim's client object.
M.call = neovim_lsp.call

--- Returns the server of a root folder, which is new if none runs or starts there.
local function register(root)
  if not servers[root] then
    servers[root] = { root = root, waiting = {}, buffers = {}, since = uv.now() }
    editor_state.watch()
    neovim_lsp.on_attach(function(id, bufnr)
      local attached = M.by_id(id)
      if attached then
        last_root = attached.root
        attached.buffers[bufnr] = true
      end
    end)
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
  events.fire('PlokeServerReady', { root = server.root, client_id = client.id })
end

local function when_ready(server, callback)
  if server.client then
    callback(server)
  else
    table.insert(server.waiting, callback)
  end
end

local function on_init(client, result)
  -- Neovim 0.7 reads only the older offsetEncoding.
  client.offset_encoding = result.capabilities.positionEncoding or client.offset_encoding
  local server = register(neovim_lsp.root(client.config))
  server.id = client.id
  vim.schedule(function() -- didOpen goes out right after on_init
    ready(server, client)
  end)
end

local start, attach_to, attach_all

--- Starts a server again that has ended by itself, after a pause.
--- @param how string how it has ended
local function start_again(server, how)
  local root = server.root
  local pause = client_end.pause(root, uv.now() - server.since)
  if not pause then
    say.error(('the server keeps ending (%s); :Ploke log shows why, :Ploke starts it'):format(how))
    return
  end
  if not client_end.repeated(root) then
    say.error(('the server ended (%s) and starts again'):format(how))
  end
  status.set('start ' .. root, 'restarting')
  vim.defer_fn(function()
    local fresh, err = servers[root] -- if the user has started it
    if not fresh then
      fresh, err = start(root)
    end
    if not fresh then
      status.set('start ' .. root, nil)
      say.error(err)
      return
    end
    attach_all(fresh)
    for bufnr in pairs(server.buffers) do
      if vim.api.nvim_buf_is_loaded(bufnr) then
        attach_to(fresh, bufnr)
      end
    end
    for _, callback in ipairs(server.waiting) do
      when_ready(fresh, callback)
    end
  end, pause)
end

local function ended(server, code, signal)
  servers[server.root] = nil
  status.set('start ' .. server.root, nil)
  status.servers(-1)
  if server.id then
    status.forget(server.id)
  end
  require('ploke.turns').server_ended(server)
  require('ploke.last_conversation').server_ended(server)
  require('ploke.review').server_ended(server)
  events.fire('PlokeServerEnded', { root = server.root, code = code, signal = signal })
  if not client_end.on_purpose(code, signal) then
    start_again(server, client_end.describe(code, signal))
  end
end

local function on_exit(code, signal, id)
  local client = vim.lsp.get_client_by_id(id)
  local server = M.by_id(id) or client and servers[neovim_lsp.root(client.config)]
  client_end.drop_report(code, signal)
  vim.schedule(function()
    if server and servers[server.root] == server then
      ended(server, code, signal)
    end
  end)
end

local function missing(cmd)
  return ('%s is not executable; build ploke-lsp and put it into $PATH, or name it: require("ploke").setup { cmd = { "/path/to/ploke-lsp", "serve" } }')
    :format(cmd)
end

--- Returns the configuration of a client, but for its root folder. Whoever starts the client, it becomes a
--- server of the plugin.
function M.options()
  return vim.tbl_extend('force', require('ploke.client_options').get(), {
    before_init = function(_, options)
      register(neovim_lsp.root(options))
    end,
    on_init = on_init,
    on_exit = on_exit,
  })
end

--- Makes a client of another configuration a server of the plugin, if it has the plugin's handlers.
local function take_over(client)
  local root = neovim_lsp.root(client.config)
  if not (client.config.handlers or {})[methods.event] then
    return nil, ('another configuration has started ploke-lsp in %s, without a chat; remove it, or use vim.lsp.enable("ploke") instead')
      :format(root)
  end
  local server = register(root)
  server.id = client.id
  ready(server, client)
  return server
end

function start(root)
  local client = neovim_lsp.running(root)
  if client then
    return take_over(client)
  end
  local options = neovim_lsp.enabled() and neovim_lsp.enabled_options() or M.options()
  options.root_dir = root
  if type(options.cmd) == 'table' and vim.fn.executable(options.cmd[1]) == 0 then
    return nil, missing(options.cmd[1])
  end
  local server = register(root)
  local id = neovim_lsp.launch(options)
  if not id then
    ended(server, 0, 0)
    return nil, 'the server did not start; run :checkhealth ploke'
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

function attach_to(server, bufnr)
  if server.id then
    vim.lsp.buf_attach_client(bufnr, server.id)
  else -- vim.lsp.enable starts it
    table.insert(server.waiting, function(started)
      vim.lsp.buf_attach_client(bufnr, started.id)
    end)
  end
end

--- Attaches a file buffer to the server of its root folder.
function M.attach(bufnr)
  local root = M.root_of(bufnr)
  if not root or neovim_lsp.enabled() or not (config.get().autostart or servers[root]) then
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
    say.warn(err)
  end
end

function attach_all(server)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and M.root_of(bufnr) == server.root then
      attach_to(server, bufnr)
    end
  end
end

--- Returns the server that vim.lsp.enable has started for a buffer, whatever its root folder is.
local function enabled_for(bufnr)
  local path, found = vim.api.nvim_buf_get_name(bufnr), nil
  for root, server in pairs(servers) do
    if neovim_lsp.enabled() and vim.startswith(path, root .. '/') and (not found or #root > #found.root) then
      found = server
    end
  end
  return found
end

local function current_root(bufnr)
  return M.root_of(bufnr) or last_root or vim.fn.getcwd()
end

--- @return table|nil the server that `with` calls back with, if it accepts requests now
function M.ready()
  local bufnr = vim.api.nvim_get_current_buf()
  local server = enabled_for(bufnr) or servers[current_root(bufnr)]
  return server and server.client and server or nil
end

--- Calls back with the server of the current buffer, of the last file, or of the current folder, as
--- soon as it accepts requests. Starts the server if needed.
--- @param callback fun(server: { root: string, id: number, client: table })
function M.with(callback)
  local bufnr = vim.api.nvim_get_current_buf()
  local root = current_root(bufnr)
  local server, err = enabled_for(bufnr) or servers[root]
  if not server then
    client_end.forget(root)
    server, err = start(root)
    if not server then
      say.error(err)
      return
    end
    attach_all(server)
  end
  when_ready(server, callback)
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
