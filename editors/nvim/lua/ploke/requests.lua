--- The requests of this plugin to the server, one function each: function(server, params, callback,
--- on_error), without params for a request that has none. callback(result) is called after success.
--- An error is shown to the user, or passed to on_error(err) if it is given. Each function returns the
--- id of the request, for `cancel`. lua/ploke/protocol.lua has the types of params and result.

local client = require('ploke.client')
local methods = require('ploke.protocol').methods
local say = require('ploke.say')

local M = {}

local function show_error(err)
  say.error(err.message)
end

local function request(server, method, params, callback, on_error)
  local sent, id = client.call(server.client, 'request', method, params, function(err, result)
    if err then
      (on_error or show_error)(err)
    else
      callback(result)
    end
  end)
  if not sent then
    (on_error or show_error)({ message = 'the server has ended; it starts again soon' })
  end
  return id
end

local function with_params(method)
  return function(server, params, callback, on_error)
    return request(server, method, params, callback, on_error)
  end
end

local function without_params(method)
  return function(server, callback, on_error)
    return request(server, method, vim.empty_dict(), callback, on_error)
  end
end

M.commands = without_params(methods.slash_commands)
M.chat_send = with_params(methods.chat_send)
M.chat_complete = with_params(methods.chat_complete)
M.chat_mentions = with_params(methods.chat_mentions)
M.chat_places = with_params(methods.chat_places)
M.chat_stop = with_params(methods.chat_stop)
M.chat_attach = with_params(methods.chat_attach)
M.chat_list = without_params(methods.chat_list)
M.chat_siblings = with_params(methods.chat_siblings)
M.chat_search = with_params(methods.chat_search)
M.chat_history = with_params(methods.chat_history)
M.chat_rename = with_params(methods.chat_rename)
M.chat_delete = with_params(methods.chat_delete)
M.chat_export = with_params(methods.chat_export)
M.tool_result = with_params(methods.tool_result)
M.examples = without_params(methods.examples)
M.model_default = without_params(methods.model_default)
M.models = without_params(methods.models)
M.model_choose = with_params(methods.model_choose)
M.permission_answer = with_params(methods.permission_answer)
M.permission_list = without_params(methods.permission_list)
M.permission_forget = with_params(methods.permission_forget)
M.proposal_list = with_params(methods.proposal_list)
M.proposal_get = with_params(methods.proposal_get)
M.proposal_accept = with_params(methods.proposal_accept)
M.proposal_edit = with_params(methods.proposal_edit)
M.proposal_reject = with_params(methods.proposal_reject)
M.proposal_check = with_params(methods.proposal_check)
M.proposal_undo = with_params(methods.proposal_undo)
M.proposal_redo = with_params(methods.proposal_redo)
M.review = without_params(methods.review)
M.review_merge = with_params(methods.review_merge)
M.doctor = without_params(methods.doctor)
M.index_status = without_params(methods.index_status)
M.index_rebuild = without_params(methods.index_rebuild)
M.index_pause = without_params(methods.index_pause)
M.index_resume = without_params(methods.index_resume)
M.command = with_params('workspace/executeCommand')

--- Cancels a request. Neovim drops the error with which the server confirms it, so the callback of the
--- request may never be called.
function M.cancel(server, id)
  client.call(server.client, 'cancel_request', id)
end

return M
