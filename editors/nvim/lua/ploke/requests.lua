--- The requests of this plugin to the server, one function each: function(server, params, callback,
--- on_error), without params for a request that has none. callback(result) is called after success.
--- An error is shown to the user, or passed to on_error(err) if it is given. Each function returns the
--- id of the request, for `cancel`.

--- @class ploke.Citation
--- @field uri string
--- @field range { start: { line: number, character: number }, end: { line: number, character: number } }
--- @field canon string|nil
--- @field proposal string|nil id of the proposal that has these lines, if the file does not

--- @class ploke.Answer the result of ploke/chat/send and of the event turnFinished
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
--- @field diff string unified diff of the files in their order; a partly accepted file is in it twice
--- @field files ploke.ProposalView[]
--- @field conflicts { uri: string, path: string, hunks: string[], line: number, base: string, ours: string, theirs: string, reason: string }[]|nil

--- @class ploke.ProposalView one file with its whole texts; the lines of its hunks are 1-based and refer to the text before
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

-- -> { commands: { name: string, description: string|nil, argumentHint: string|nil }[] }
M.commands = without_params('ploke/commands')

-- { text: string, conversationId: string|nil, attachments: table[]|nil, whileBusy: string, partialResultToken: string } -> ploke.Answer
M.chat_send = with_params('ploke/chat/send')

-- { conversationId: string } -> {}
M.chat_stop = with_params('ploke/chat/stop')

-- { turnId: string, afterSeq: number } -> { events: table[] }
M.chat_attach = with_params('ploke/chat/attach')

-- -> { conversations: { id: string, title: string, updatedAt: number }[] }, updatedAt in milliseconds since 1970
M.chat_list = without_params('ploke/chat/list')

-- { query: string } -> { results: { conversationId: string, title: string, excerpt: string }[] }
M.chat_search = with_params('ploke/chat/search')

-- { conversationId: string } -> { messages: ploke.Message[] }
M.chat_history = with_params('ploke/chat/history')

-- { conversationId: string, title: string } -> {}
M.chat_rename = with_params('ploke/chat/rename')

-- { conversationId: string } -> {}
M.chat_delete = with_params('ploke/chat/delete')

-- { conversationId: string } -> { markdown: string }
M.chat_export = with_params('ploke/chat/export')

-- { id: string, answer: 'allowOnce'|'allowAlways'|'rejectOnce'|'rejectAlways' } -> {}
M.permission_answer = with_params('ploke/permission/answer')

-- -> { permissions: { key: string, title: string, allowed: boolean, since: string }[] }, since in RFC 3339
M.permission_list = without_params('ploke/permission/list')

-- { key: string } -> {}
M.permission_forget = with_params('ploke/permission/forget')

-- { status: string|nil } -> { proposals: ploke.Proposal[] }
M.proposal_list = with_params('ploke/proposal/list')

-- { id: string } -> ploke.ProposalDetails
M.proposal_get = with_params('ploke/proposal/get')

-- { id: string, files: string[]|nil, hunks: string[]|nil } -> { status: string, files: table[] }
-- files are uris and hunks are ids; without both the whole proposal is accepted.
M.proposal_accept = with_params('ploke/proposal/accept')

-- { id: string, file: string, after: string } -> { status: string }
-- file is a uri, after the whole proposed text of the file.
M.proposal_edit = with_params('ploke/proposal/edit')

-- { id: string, reason: string|nil } -> { status: string }
M.proposal_reject = with_params('ploke/proposal/reject')

-- { id: string } -> { status: string }
M.proposal_undo = with_params('ploke/proposal/undo')
M.proposal_redo = with_params('ploke/proposal/redo')

-- -> { state: string, files: number, symbols: number }
M.index_status = without_params('ploke/index/status')

M.index_rebuild = without_params('ploke/index/rebuild')
M.index_pause = without_params('ploke/index/pause')
M.index_resume = without_params('ploke/index/resume')

--- Cancels a request. Neovim drops the error with which the server confirms it, so the callback of the
--- request may never be called.
function M.cancel(server, id)
  client.call(server.client, 'cancel_request', id)
end

return M
