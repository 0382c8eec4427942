--- Neovim's LSP clients: what differs between its versions.

local M = {}

local methods_take_self = vim.fn.has('nvim-0.11') == 1

--- Calls a method of Neovim's client object.
function M.call(client, method, ...)
  if methods_take_self then
    return client[method](client, ...)
  end
  return client[method](...)
end

--- Starts a client, without a buffer.
--- @param options table
--- @return number|nil its id
function M.launch(options)
  if methods_take_self then
    return vim.lsp.start(options, { attach = false, reuse_client = function() return false end })
  end
  return vim.lsp.start_client(options) -- vim.lsp.start of 0.8 to 0.10 always attaches the current buffer
end

--- Returns the root folder of a client: without one, Neovim starts the server in the current folder.
--- @param options table the client's configuration
function M.root(options)
  return options.root_dir or vim.fn.getcwd()
end

--- @return table|nil the initialized client of ploke-lsp in a root folder, whoever has started it
function M.running(root)
  for _, client in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if client.name == 'ploke' and M.root(client.config) == root then
      return client
    end
  end
end

--- @return boolean whether vim.lsp.enable starts the servers
function M.enabled()
  return vim.lsp.is_enabled ~= nil and vim.lsp.is_enabled('ploke')
end

--- @return table the configuration with which vim.lsp.enable starts the servers
function M.enabled_options()
  return vim.deepcopy(vim.lsp.config.ploke)
end

--- Lets vim.lsp.enable read lsp/ploke.lua again.
function M.forget_options()
  if vim.lsp.config then
    vim.lsp.config('ploke', {})
  end
end

--- Calls back whenever a client gets a buffer. Neovim 0.7 has no event for that, and no vim.lsp.enable.
--- @param callback fun(client_id: number, bufnr: number)
function M.on_attach(callback)
  if vim.fn.exists('##LspAttach') == 1 then
    vim.api.nvim_create_autocmd('LspAttach', {
      group = vim.api.nvim_create_augroup('ploke.client', {}),
      callback = function(event) callback(event.data.client_id, event.buf) end,
    })
  end
end

return M
