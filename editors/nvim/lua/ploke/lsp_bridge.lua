--- Asks Neovim's other language servers for ploke-lsp, which learns from them what the code means. A server answers for the
--- text that it has by then: what was typed is sent to it first, and to ploke-lsp before the answer.

local lsp_servers = require('ploke.lsp_servers')
local methods = require('ploke.protocol').methods
local neovim_lsp = require('ploke.neovim_lsp')

local M = {}

local limit_ms = 12000 -- below the time for which ploke-lsp waits
local look_ms = 200

local uv = vim.uv or vim.loop

--- Runs a function without autocommands, so that neither the user nor a plugin sees what happens.
local function unseen(run)
  local ignored = vim.o.eventignore
  vim.o.eventignore = 'all'
  local ok, err = pcall(run)
  vim.o.eventignore = ignored
  if not ok then
    error(err, 0)
  end
end

--- Loads a file that is not open, for one server alone.
--- @param sibling number a buffer of such a file
--- @return number bufnr
--- @return function close
local function open_for(client, path, sibling)
  local existed = vim.fn.bufexists(path) == 1
  local bufnr = vim.fn.bufadd(path)
  unseen(function()
    vim.api.nvim_buf_set_option(bufnr, 'swapfile', false)
    vim.fn.bufload(bufnr)
    vim.api.nvim_buf_set_option(bufnr, 'filetype', vim.api.nvim_buf_get_option(sibling, 'filetype'))
    vim.lsp.buf_attach_client(bufnr, client.id)
  end)
  return bufnr, function()
    if not vim.api.nvim_buf_is_valid(bufnr) then
      return
    end
    if #vim.fn.win_findbuf(bufnr) > 0 then -- the user has opened it meanwhile
      vim.api.nvim_buf_set_option(bufnr, 'swapfile', vim.go.swapfile)
      vim.api.nvim_buf_call(bufnr, function() vim.cmd('doautocmd BufRead') end)
      return
    end
    unseen(function()
      vim.api.nvim_buf_delete(bufnr, existed and { force = true, unload = true } or { force = true })
    end)
  end
end

--- Returns the buffer of a question, whether its text is that of the question, and how it is closed.
local function buffer_of(params, path, one)
  local bufnr = lsp_servers.loaded(path)
  if bufnr then
    return bufnr, params.version ~= nil or not vim.api.nvim_buf_get_option(bufnr, 'modified'), function() end
  end
  local close
  bufnr, close = open_for(one.client, path, one.bufnr)
  return bufnr, params.version == nil, close
end

local function message_of(err)
  return type(err) == 'table' and err.message or tostring(err)
end

--- Returns the server that a question names, nil if there is none such any more.
local function named(id, path)
  for _, one in ipairs(lsp_servers.of(path)) do
    if tostring(one.client.id) == id then
      return one
    end
  end
end

--- Sends a question to a server, and calls back once: with its answer, or when it has none for too long or ends.
--- @param done fun(answer: ploke.LSPAnswer)
local function send(client, params, bufnr, done)
  local timer, request = uv.new_timer(), nil
  local began = uv.now()
  local function finish(answer)
    if timer then
      timer:stop()
      timer:close()
      timer = nil
      done(answer)
    end
  end
  timer:start(look_ms, look_ms, vim.schedule_wrap(function()
    if lsp_servers.gone(client) then
      finish { failure = client.name .. ' has ended' }
    elseif uv.now() - began > limit_ms then
      if request then
        neovim_lsp.call(client, 'cancel_request', request)
      end
      finish { failure = ('%s has not answered within %d s'):format(client.name, limit_ms / 1000) }
    end
  end))
  neovim_lsp.call(client, 'notify', '$/cancelRequest', { id = 0 }) -- as each notification, it sends what was typed in all files
  local sent
  sent, request = neovim_lsp.call(client, 'request', params.method, params.params, function(err, result)
    finish(err and { refusal = message_of(err) } or { result = result })
  end, bufnr)
  if not sent then
    finish { failure = client.name .. ' has ended' }
  end
end

--- Answers ploke/client/lsp. Neovim replies as soon as a handler returns, so the answer follows in a notification.
--- @param params ploke.ClientLSPParams
--- @param client_id number of ploke-lsp
--- @return ploke.LSPAnswer
function M.ask(params, client_id)
  local path = vim.uri_to_fname(params.uri)
  local one = named(params.server, path)
  if not lsp_servers.allows(params.method) then
    return { failure = params.method .. ' is not asked for others' }
  elseif not one then
    return { failure = 'the language server has ended' }
  end
  local bufnr, same, close = buffer_of(params, path, one)
  if not same then
    close()
    return { changed = true }
  end
  if type(params.params.textDocument) == 'table' then
    params.params.textDocument.uri = vim.uri_from_bufnr(bufnr)
  end
  local tick = vim.api.nvim_buf_get_changedtick(bufnr)
  vim.schedule(function()
    send(one.client, params, bufnr, function(answer)
      answer.changed = not vim.api.nvim_buf_is_valid(bufnr) or vim.api.nvim_buf_get_changedtick(bufnr) ~= tick
      close()
      answer.request, answer.version, answer.server = params.request, params.version, lsp_servers.describe(one.client)
      local ploke = vim.lsp.get_client_by_id(client_id)
      if ploke then
        neovim_lsp.call(ploke, 'notify', methods.server_answer, answer)
      end
    end)
  end)
  return { later = true }
end

return M
