--- A turn: what leads from a message to its answer. It streams into a section of the chat.

local answers = require('ploke.answer')
local chat = require('ploke.chat')
local chat_branches = require('ploke.chat_branches')
local client = require('ploke.client')
local events = require('ploke.events')
local permission = require('ploke.permission')
local proposal = require('ploke.proposal')
local requests = require('ploke.requests')
local say = require('ploke.say')
local status = require('ploke.status')

local M = {}

--- @class ploke.Turn
--- @field key string our token, or the server's id of a turn that was not started here
--- @field id string|nil the server's id, once it is known
--- @field server table
--- @field conversation ploke.OpenConversation
--- @field message ploke.OutgoingMessage|nil if it was started here
--- @field section table of the chat
--- @field request number|nil
--- @field waits boolean|nil queued behind other turns
--- @field attached boolean|nil shown from events; its partial results are ignored

--- @class ploke.OpenConversation
--- @field id string|nil once it is known
--- @field leaf string|nil the last message of the shown branch, if that is not the newest one
--- @field pending function[] what waits for the id

--- @class ploke.OutgoingMessage
--- @field text string
--- @field attachments ploke.Attachment[]|nil
--- @field steers boolean|nil whether it joins the running answer
--- @field parentId string|nil of the message that it follows, if that is not the last one

local running = {} -- key -> turn
local begun = 0 -- how many turns have begun

--- @return ploke.Turn|nil the running turn with an id of the server
function M.by_id(id)
  for _, turn in pairs(running) do
    if turn.id == id then
      return turn
    end
  end
end

--- @return ploke.Turn|nil the running turn with a key
function M.by_key(key)
  return running[key]
end

--- Returns the running turns of a conversation, or all of them, in the order in which they were started.
--- @param conversation ploke.OpenConversation|nil
--- @return ploke.Turn[]
function M.of(conversation)
  local turns = vim.tbl_filter(function(turn)
    return not conversation or turn.conversation == conversation
  end, vim.tbl_values(running))
  table.sort(turns, function(a, b)
    return a.order < b.order
  end)
  return turns
end

--- Shortens a title to one line of at most 40 characters.
function M.short(title)
  local line = vim.split(title, '\n', { plain = true })[1]
  return vim.fn.strchars(line) > 40 and vim.fn.strcharpart(line, 0, 39) .. '…' or line
end

--- Returns the status line text of a running turn.
local function working(turn)
  local title = M.short(turn.title)
  return vim.endswith(title, '…') and title or title .. ' …'
end

--- Adds a turn to the status line or removes it.
local function show_status(turn, runs)
  status.set(turn.key, runs and working(turn) or nil)
end

--- Returns what the events of a turn carry.
local function event_data(turn)
  return { root = turn.server.root, conversation_id = turn.conversation.id, turn_id = turn.id, question = turn.title }
end

--- Begins a turn.
--- @param key string
--- @param message ploke.OutgoingMessage|nil if it is started here
function M.begin(key, server, conversation, title, message)
  begun = begun + 1
  local turn = {
    key = key, order = begun, server = server, conversation = conversation, title = title, message = message,
    section = chat.section(title, message and message.attachments, client.encoding(server)),
  }
  running[key] = turn
  chat.scroll_to(turn.section)
  show_status(turn, true)
  events.fire('PlokeTurnStart', event_data(turn))
  return turn
end

--- Sends the messages that waited for the conversation's id.
function M.send_pending(conversation)
  local pending = conversation.pending
  conversation.pending = {}
  for _, send in ipairs(pending) do
    send()
  end
end

--- Ends a turn. Further calls for the same turn do nothing.
--- @param note string|nil the last line below the answer
--- @param reason ploke.StopReason|'interrupted'
function M.finish(turn, note, reason)
  if not running[turn.key] then
    return false
  end
  running[turn.key] = nil
  show_status(turn, false)
  turn.section:state(nil)
  if note then
    turn.section:note(note)
  end
  turn.section:close()
  M.send_pending(turn.conversation)
  events.fire('PlokeTurnEnd', vim.tbl_extend('force', event_data(turn), { stop_reason = reason }))
  return true
end

local function wait(turn, waits)
  turn.waits = waits
  turn.section:state(waits and 'queued behind the answer before it' or nil)
  show_status(turn, not waits)
end

local show = {
  userMessage = function(turn, part)
    turn.section:state(nil)
    turn.section:question(part.text)
  end,
  permission = function(turn, part)
    permission.update(turn.server, turn.section, part)
    local title = permission.open_title(turn.section)
    turn.section:state(title and 'waits for your answer' or nil)
    status.set(turn.key, title and 'asks to ' .. M.short(title) or working(turn))
  end,
  turnQueued = function(turn)
    wait(turn, true)
  end,
  turnStarted = function(turn)
    wait(turn, false)
  end,
}

--- Shows how far the index is where an answer has not begun: the first one waits for it.
--- @param client_id number of the server
--- @param percent number
function M.indexing(client_id, percent)
  for _, turn in pairs(running) do
    if turn.server.id == client_id and not turn.begun and not turn.waits then
      turn.section:state(('waiting for the index: %d %%'):format(percent))
    end
  end
end

--- Parts that show that the answer of a turn has begun.
local begins = { message = true, thought = true, toolCall = true, citation = true }

--- Shows a part of a turn.
function M.draw(turn, part)
  if begins[part.type] and not turn.begun then
    turn.begun = true
    turn.section:state(nil)
  end
  turn.streamed = turn.streamed or part.type == 'message'
  if show[part.type] then
    show[part.type](turn, part)
  else
    answers.draw(turn.server, turn.section, part)
  end
end

local ending = {
  cancelled = 'stopped',
  limit = 'stopped at a limit; :Ploke continue resumes it',
  error = 'failed',
}

--- Shows what is known at the end of a turn, whether it is still shown as running or not.
--- @param answer ploke.ChatSendResult
function M.record(turn, answer)
  turn.section.question_id = answer.messageId
  turn.section:usage(answers.usage(answer))
  chat_branches.show(turn.server, turn.conversation)
end

--- @param answer ploke.ChatSendResult
function M.complete(turn, answer)
  if not turn.streamed and answer.text then
    turn.section:write(answer.text)
  end
  turn.section:sources(answer.citations or {})
  for _, id in ipairs(answer.proposals or {}) do
    if not proposal.known(id) then
      requests.proposal_get(turn.server, { id = id }, function(result)
        proposal.offer(turn.server, turn.section, result.proposal)
      end)
    end
  end
  M.finish(turn, answer.error and 'failed: ' .. answer.error or ending[answer.stopReason], answer.stopReason)
  M.record(turn, answer)
end

--- Ends a turn without a result. The person gets a message back that was not stored.
function M.fail(turn, reason)
  if turn.id or not turn.message then
    return M.finish(turn, 'failed: ' .. reason, 'error')
  end
  local section = turn.section
  M.finish(turn, nil, 'error')
  section:remove()
  if turn.message.parentId then
    turn.conversation.leaf = turn.message.parentId
  end
  chat.take_back(turn.message.text)
  say.error(('%s; the message is in the prompt again, not sent'):format(reason))
end

return M
