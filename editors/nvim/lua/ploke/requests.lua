--- The requests of the wire that this plugin makes, one function each. Each takes the server, its
--- parameters and a callback(result) that is called for success only: errors are shown to the user,
--- unless the request takes an `on_error`. Each returns the id of the request, for `cancel`.

--- @class ploke.Citation
--- @field uri string
--- @field range { start: { line: number, character: number }, end: { line: number, character: number } }
--- @field canon string|nil

--- @class ploke.Answer the result of ploke/chat/send and of a turnFinished event
--- @field conversationId string
--- @field turnId string
--- @field text string Markdown
--- @field citations ploke.Citation[]
--- @field proposals string[] ids
--- @field stopReason 'done'|'cancelled'|'limit'|'error'
--- @field error string|nil

--- @class ploke.Message
--- @field turnId string
--- @field role 'user'|'assistant'
--- @field text string Markdown
--- @field status 'pending'|'completed'|'cancelled'|'failed'|'interrupted'
--- @field error string|nil
--- @field toolCalls { callId: string, tool: string, summary: string|nil, error: string|nil }[]|nil
--- @field proposals string[]|nil

--- @class ploke.Proposal
--- @field id string
--- @field title string
--- @field status string

--- @class ploke.ProposalDetails
--- @field proposal ploke.Proposal
--- @field diff string unified, of the files in their order; one that is partly accepted stands there twice
--- @field files ploke.ProposalView[]
--- @field conflicts { uri: string, path: string, hunks: string[], line: number, base: string, ours: string, theirs: string, reason: string }[]|nil

--- @class ploke.ProposalView one file, whole; the lines of its hunks are 1-based, in the text before
--- @field uri string
--- @field path string
--- @field newPath string|nil
--- @field op 'edit'|'create'|'rename'|'delete'
--- @field before string
--- @field after string
--- @field hunks { id: string, startLine: number, endLine: number, state: string }[]

local client = require('ploke.client')

local M = {}

local function show_error(err)
  vim.notify('ploke: ' .. err.message, vim.log.levels.ERROR)
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
    (on_error or show_error)({ message = 'the server has ended; ask again to start it' })
  end
  return id
end

--- @param params { text: string, conversationId: string|nil, attachments: table[]|nil, whileBusy: string, partialResultToken: string }
--- @param callback fun(answer: ploke.Answer)
function M.chat_send(server, params, callback, on_error)
  return request(server, 'ploke/chat/send', params, callback, on_error)
end

--- @param params { conversationId: string }
function M.chat_stop(server, params, callback)
  return request(server, 'ploke/chat/stop', params, callback)
end

--- @param params { turnId: string, afterSeq: number }
--- @param callback fun(result: { events: table[] })
function M.chat_attach(server, params, callback, on_error)
  return request(server, 'ploke/chat/attach', params, callback, on_error)
end

--- @param callback fun(result: { conversations: { id: string, title: string, updatedAt: number }[] })
function M.chat_list(server, callback)
  return request(server, 'ploke/chat/list', vim.empty_dict(), callback)
end

--- @param params { query: string }
--- @param callback fun(result: { results: { conversationId: string, title: string, excerpt: string }[] })
function M.chat_search(server, params, callback)
  return request(server, 'ploke/chat/search', params, callback)
end

--- @param params { conversationId: string }
--- @param callback fun(result: { messages: ploke.Message[] })
function M.chat_history(server, params, callback)
  return request(server, 'ploke/chat/history', params, callback)
end

--- @param params { conversationId: string, title: string }
function M.chat_rename(server, params, callback)
  return request(server, 'ploke/chat/rename', params, callback)
end

--- @param params { conversationId: string }
function M.chat_delete(server, params, callback)
  return request(server, 'ploke/chat/delete', params, callback)
end

--- @param params { conversationId: string }
--- @param callback fun(result: { markdown: string })
function M.chat_export(server, params, callback)
  return request(server, 'ploke/chat/export', params, callback)
end

--- @param params { id: string, answer: 'allowOnce'|'allowAlways'|'rejectOnce'|'rejectAlways' }
function M.permission_answer(server, params, callback)
  return request(server, 'ploke/permission/answer', params, callback)
end

--- @param callback fun(result: { permissions: { key: string, title: string, allowed: boolean, since: string }[] })
function M.permission_list(server, callback)
  return request(server, 'ploke/permission/list', vim.empty_dict(), callback)
end

--- @param params { key: string }
function M.permission_forget(server, params, callback)
  return request(server, 'ploke/permission/forget', params, callback)
end

--- @param params { status: string|nil }
--- @param callback fun(result: { proposals: ploke.Proposal[] })
function M.proposal_list(server, params, callback)
  return request(server, 'ploke/proposal/list', params, callback)
end

--- @param params { id: string }
--- @param callback fun(result: ploke.ProposalDetails)
function M.proposal_get(server, params, callback)
  return request(server, 'ploke/proposal/get', params, callback)
end

--- @param params { id: string, files: string[]|nil, hunks: string[]|nil } uris and ids; without both, all of it
--- @param callback fun(result: { status: string, files: table[] })
function M.proposal_accept(server, params, callback)
  return request(server, 'ploke/proposal/accept', params, callback)
end

--- @param params { id: string, file: string, after: string } a uri and the whole text that the file shall have
--- @param callback fun(result: { status: string })
function M.proposal_edit(server, params, callback)
  return request(server, 'ploke/proposal/edit', params, callback)
end

--- @param params { id: string, reason: string|nil }
--- @param callback fun(result: { status: string })
function M.proposal_reject(server, params, callback)
  return request(server, 'ploke/proposal/reject', params, callback)
end

--- Takes an accepted proposal back, or accepts it again.
--- @param action 'undo'|'redo'
--- @param params { id: string }
function M.proposal_revise(server, action, params, callback)
  return request(server, 'ploke/proposal/' .. action, params, callback)
end

--- @param callback fun(result: { state: string, files: number, symbols: number })
function M.index_status(server, callback)
  return request(server, 'ploke/index/status', vim.empty_dict(), callback)
end

--- @param action 'rebuild'|'pause'|'resume'
function M.index(server, action, callback)
  return request(server, 'ploke/index/' .. action, vim.empty_dict(), callback)
end

--- Tells the server that nobody waits for this request any more. Neovim swallows the error by
--- which a server acknowledges it, so that its callback may never be called.
function M.cancel(server, id)
  client.call(server.client, 'cancel_request', id)
end

return M
