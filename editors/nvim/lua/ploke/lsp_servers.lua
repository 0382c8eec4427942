--- The language servers of Neovim besides ploke-lsp: which serve a file, what they answer, and how far they are.

local neovim_lsp = require('ploke.neovim_lsp')

local M = {}

--- What may be asked. Nothing of it changes anything.
local allowed = {
  'textDocument/definition', 'textDocument/references', 'textDocument/implementation', 'textDocument/prepareRename',
  'textDocument/rename', 'textDocument/prepareCallHierarchy', 'callHierarchy/incomingCalls', 'callHierarchy/outgoingCalls',
  'textDocument/diagnostic', 'textDocument/codeAction',
}

local most_titles = 64

local progress = {} -- client id -> { running = token -> title, ended = the set of titles }

--- Notes what a server tells of its work.
local function note(id, token, kind, title)
  progress[id] = progress[id] or { running = {}, ended = {} }
  local of = progress[id]
  if kind == 'begin' and title and vim.tbl_count(of.running) < most_titles then
    of.running[token] = title
  elseif kind == 'end' and of.running[token] then
    if vim.tbl_count(of.ended) < most_titles then
      of.ended[of.running[token]] = true
    end
    of.running[token] = nil
  end
end

--- Follows what the servers tell from now on. Neovim before 0.10 keeps it in the client.
function M.follow()
  local group = vim.api.nvim_create_augroup('ploke.lsp_servers', {})
  if vim.fn.exists('##LspProgress') == 1 then
    vim.api.nvim_create_autocmd('LspProgress', {
      group = group,
      callback = function(event)
        local params = event.data.params
        note(event.data.client_id, params.token, params.value.kind, params.value.title)
      end,
    })
    return
  end
  vim.api.nvim_create_autocmd('User', {
    group = group,
    pattern = 'LspProgressUpdate',
    callback = function()
      for _, client in pairs(vim.lsp.get_active_clients()) do
        for token, task in pairs(client.messages.progress) do
          note(client.id, token, 'begin', task.title)
          if task.done then
            note(client.id, token, 'end')
          end
        end
      end
    end,
  })
end

--- @return boolean whether a method may be asked
function M.allows(method)
  return vim.tbl_contains(allowed, method)
end

--- Describes a server.
--- @return ploke.LSPServer
function M.describe(client)
  local of = progress[client.id] or { running = {}, ended = {} }
  return {
    id = tostring(client.id),
    name = client.name,
    version = (client.server_info or {}).version,
    encoding = client.offset_encoding or 'utf-16',
    methods = vim.tbl_filter(function(method)
      return neovim_lsp.call(client, 'supports_method', method) and true or false
    end, allowed),
    running = vim.tbl_values(of.running),
    ended = vim.tbl_keys(of.ended),
  }
end

--- @return boolean whether a client has ended, or is about to
function M.gone(client)
  return not vim.lsp.get_client_by_id(client.id) or neovim_lsp.call(client, 'is_stopped')
end

--- Returns the clients that a buffer is attached to, but for ploke-lsp.
local function attached(bufnr)
  local all = vim.lsp.get_clients and vim.lsp.get_clients { bufnr = bufnr } or vim.tbl_values(vim.lsp.buf_get_clients(bufnr))
  local others = vim.tbl_filter(function(client)
    return client.name ~= 'ploke' and client.initialized and not M.gone(client)
  end, all)
  table.sort(others, function(a, b) return a.id < b.id end)
  return others
end

local function inside(path, root)
  return not root or vim.startswith(path, root .. '/')
end

--- Returns the clients that serve a file, with the buffer that each knows such files from: the file's own if it is loaded,
--- else one of a file with the same ending in the same root folder.
--- @param path string
--- @return table[] { client, bufnr }
function M.of(path)
  local found, seen = {}, {}
  local function add(bufnr)
    for _, client in ipairs(attached(bufnr)) do
      if not seen[client.id] and inside(path, client.config.root_dir) then
        seen[client.id] = true
        table.insert(found, { client = client, bufnr = bufnr })
      end
    end
  end
  if M.loaded(path) then
    add(M.loaded(path))
    return found
  end
  local ending = vim.fn.fnamemodify(path, ':e')
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and ending == vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':e') then
      add(bufnr)
    end
  end
  return found
end

--- @return number|nil the buffer of a file that is loaded
function M.loaded(path)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.api.nvim_buf_get_name(bufnr) == path then
      return bufnr
    end
  end
end

--- Answers ploke/client/lspServers.
--- @param params ploke.ClientLSPServersParams
function M.list(params)
  return { servers = vim.tbl_map(function(one)
    return M.describe(one.client)
  end, M.of(vim.uri_to_fname(params.uri))) }
end

return M
