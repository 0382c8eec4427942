--- The running turns. A turn that was started here reports by partial results, a turn that a code action
--- started by ploke/event. Each streams into a section of the chat.

local answers = require('ploke.answer')
local chat = require('ploke.chat')
local client = require('ploke.client')
local completion = require('ploke.chat_completion')
local events = require('ploke.events')
local mentions = require('ploke.chat_mentions')
local model = require('ploke.model')
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

local token_prefix = 'ploke.nvim/'
local running = {} -- key -> turn
local steering = {} -- token -> { text, conversation, server, message }: steering messages that no turn has confirmed yet
local current = {} -- root folder -> current conversation, whose first turn sets its id
local last_number = 0

local function by_id(id)
  for _, turn in pairs(running) do
    if turn.id == id then
      return turn
    end
  end
end

--- Returns the turns of a conversation, or all turns, in the order in which they were started.
local function turns_of(conversation)
  local turns = vim.tbl_filter(function(turn)
    return not conversation or turn.conversation == conversation
  end, vim.tbl_values(running))
  table.sort(turns, function(a, b)
    return a.order < b.order
  end)
  return turns
end

--- Shortens a title to one line of at most 40 characters.
local function short(title)
  local line = vim.split(title, '\n', { plain = true })[1]
  return vim.fn.strchars(line) > 40 and vim.fn.strcharpart(line, 0, 39) .. '…' or line
end

--- Returns the status line text of a running turn.
local function working(turn)
  local title = short(turn.title)
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

local function begin(key, server, conversation, title, message)
  last_number = last_number + 1
  local turn = {
    key = key, order = last_number, server = server, conversation = conversation, title = title, message = message,
    section = chat.section(title, message and message.attachments, client.encoding(server)),
  }
  running[key] = turn
  chat.scroll_to(turn.section)
  show_status(turn, true)
  events.fire('PlokeTurnStart', event_data(turn))
  return turn
end

--- Sends the messages that waited for the conversation's id.
local function send_pending(conversation)
  local pending = conversation.pending
  conversation.pending = {}
  for _, send in ipairs(pending) do
    send()
  end
end

--- Ends a turn. Further calls for the same turn do nothing.
--- @param note string|nil the last line below the answer
--- @param reason ploke.StopReason|'interrupted'
local function finish(turn, note, reason)
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
  send_pending(turn.conversation)
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
    for token, message in pairs(steering) do
      if message.conversation == turn.conversation and message.message.text == part.text then
        steering[token] = nil
        return
      end
    end
  end,
  permission = function(turn, part)
    permission.update(turn.server, turn.section, part)
    local title = permission.open_title(turn.section)
    turn.section:state(title and 'waits for your answer' or nil)
    status.set(turn.key, title and 'asks to ' .. short(title) or working(turn))
  end,
  turnQueued = function(turn)
    wait(turn, true)
  end,
  turnStarted = function(turn)
    wait(turn, false)
  end,
}

--- Shows a part of a turn.
local function draw(turn, part)
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

--- Shows behind each question that has alternatives which one it is.
local function show_branches(server, conversation)
  if not conversation.id then
    return
  end
  requests.chat_siblings(server, { conversationId = conversation.id, leafId = conversation.leaf }, function(result)
    for _, fork in ipairs(result.forks) do
      for i, message in ipairs(fork.messages) do
        local section = message.current and chat.section_of(message.id)
        if section then
          section:fork(('branch %d of %d'):format(i, #fork.messages))
        end
      end
    end
  end, function() end) -- the conversation may have been deleted meanwhile
end

--- Shows what is known at the end of a turn, whether it is still shown as running or not.
--- @param answer ploke.ChatSendResult
local function record(turn, answer)
  turn.section.question_id = answer.messageId
  turn.section:usage(answers.usage(answer))
  show_branches(turn.server, turn.conversation)
end

--- @param answer ploke.ChatSendResult
local function complete(turn, answer)
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
  finish(turn, answer.error and 'failed: ' .. answer.error or ending[answer.stopReason], answer.stopReason)
  record(turn, answer)
end

--- Ends a turn without a result. The person gets a message back that was not stored.
local function fail(turn, reason)
  if turn.id or not turn.message then
    return finish(turn, 'failed: ' .. reason, 'error')
  end
  local section = turn.section
  finish(turn, nil, 'error')
  section:remove()
  if turn.message.parentId then
    turn.conversation.leaf = turn.message.parentId
  end
  chat.take_back(turn.message.text)
  say.error(('the message was not sent, it is in the prompt again: %s'):format(reason))
end

local function conversation_of(server)
  current[server.root] = current[server.root] or { pending = {} }
  return current[server.root]
end

--- Starts a turn for a steering message that joined no turn.
local function begin_own(token)
  local steers = steering[token]
  steering[token] = nil
  local turn = begin(token, steers.server, steers.conversation, steers.message.text, steers.message)
  turn.request = steers.request
  return turn
end

local function turn_of(token)
  return running[token] or steering[token] and begin_own(token)
end

local function not_sent(token)
  return function(err)
    completion.after(function()
      local turn = turn_of(token)
      if turn then
        fail(turn, err.message)
      end
    end)
  end
end

local function answered(token, begun, answer)
  local turn = turn_of(token)
  if turn and not turn.attached then -- an attached turn ends by its events
    complete(turn, answer)
  elseif begun and not turn then -- it was stopped here
    record(begun, answer)
  end
end

local function send(token, server, conversation, params)
  params.partialResultToken, params.conversationId, params.model = token, conversation.id, model.chosen()
  params.parentId, conversation.leaf = params.parentId or conversation.leaf, nil
  local begun = running[token]
  local request = requests.chat_send(server, params, function(answer)
    conversation.id = answer.conversationId
    completion.after(function() answered(token, begun, answer) end)
  end, not_sent(token));
  (running[token] or steering[token] or {}).request = request
end

--- Sends a message with what it mentions.
local function deliver(token, server, conversation, message)
  mentions.attach(server, message.text, message.attachments or {}, function(attachments)
    if running[token] or steering[token] then
      send(token, server, conversation, {
        text = message.text, attachments = attachments, parentId = message.parentId, whileBusy = message.steers and 'steer' or 'queue',
      })
    end
  end, not_sent(token))
end

--- Asks in the conversation of the current file's root folder. While an answer is written there,
--- the message is queued, or steers that answer.
--- @param message ploke.OutgoingMessage
function M.ask(message)
  require('ploke.last_conversation').with_shown(function(server)
    local conversation = conversation_of(server)
    local before = turns_of(conversation)
    local token = token_prefix .. last_number + 1
    if message.steers and before[1] then
      last_number = last_number + 1
      steering[token] = { message = message, conversation = conversation, server = server }
      before[1].section:state(('“%s” joins at the next step'):format(short(message.text)))
    else
      begin(token, server, conversation, message.text, message)
    end
    local function go()
      if running[token] or steering[token] then
        deliver(token, server, conversation, message)
      end
    end
    if not conversation.id and before[1] then
      table.insert(conversation.pending, go)
    else
      go()
    end
  end)
end

local function handle_partial(token, value)
  if steering[token] and not by_id(value.turnId) then
    begin_own(token)
  end
  local turn = running[token] -- nil for a message that joined a turn, which reports the same parts
  if turn then
    turn.id, turn.section.turn_id = value.turnId, value.turnId
    if not turn.conversation.id then
      turn.conversation.id = value.conversationId
      send_pending(turn.conversation)
    end
    if not turn.attached then
      draw(turn, value)
    end
  end
end

--- Handles a partial result.
--- @return boolean whether the token is one of ours
function M.partial(token, value)
  local ours = type(token) == 'string' and vim.startswith(token, token_prefix)
  if ours then
    completion.after(function() handle_partial(token, value) end)
  end
  return ours
end

local function apply(turn, event)
  if event.type == 'turnFinished' then
    complete(turn, event.result)
  else
    draw(turn, event)
  end
end

--- Returns the conversation with this id: a current one, else a new one.
local function find_conversation(id)
  for _, conversation in pairs(current) do
    if conversation.id == id then
      return conversation
    end
  end
  return { id = id, pending = {} }
end

local function handle_event(server, event)
  local turn = event.turnId and by_id(event.turnId)
  if turn and turn.events then
    table.insert(turn.events, event)
  elseif turn and not turn.attached then
    return -- partial results report the same
  elseif turn then
    apply(turn, event)
  elseif event.type == 'turnStarted' then
    turn = begin(event.turnId, server, find_conversation(event.conversationId), event.title)
    turn.id, turn.attached = event.turnId, true
  elseif event.type == 'proposal' and event.status then
    proposal.changed(server, event.id, event.status)
  end -- a notice without a turn also comes as window/showMessage
end

--- Handles a ploke/event, which reports what no request of this plugin has started.
function M.event(server, event)
  completion.after(function() handle_event(server, event) end)
end

--- Follows a running turn in a new section. Calls back with whether the turn still runs.
function M.attach(server, conversation, id, title, callback)
  local turn = by_id(id)
  if turn then
    turn.section = chat.section(title, nil, client.encoding(server))
  else
    turn = begin(id, server, conversation, title)
    turn.id = id
  end
  turn.attached, turn.streamed, turn.events, turn.section.turn_id = true, nil, {}, id
  requests.chat_attach(server, { turnId = id, afterSeq = 0 }, function(result)
    local later = turn.events
    turn.events = nil
    for _, event in ipairs(vim.list_extend(result.events, later)) do
      apply(turn, event)
    end
    callback(true)
  end, function()
    turn.events = nil
    finish(turn, nil, 'error')
    callback(false)
  end)
end

--- Makes a conversation the current one.
function M.set_current(server, conversation)
  current[server.root] = conversation
end

--- @return ploke.OpenConversation the current conversation
M.conversation = conversation_of

--- @return boolean whether a conversation was chosen or begun in this session
function M.has_current(server)
  return current[server.root] ~= nil
end

--- Shows behind each question of the current conversation that has alternatives which one it is.
function M.show_branches(server)
  show_branches(server, conversation_of(server))
end

local function stop(turn)
  if turn.request then
    requests.cancel(turn.server, turn.request)
  elseif turn.conversation.id then
    requests.chat_stop(turn.server, { conversationId = turn.conversation.id }, function() end)
  end
  finish(turn, turn.waits and 'withdrawn' or 'stopped', 'cancelled')
end

--- Stops the turns of the current conversation, the last one first.
function M.stop_conversation(server)
  local turns = turns_of(conversation_of(server))
  for i = #turns, 1, -1 do
    stop(turns[i])
  end
end

--- Stops all running and queued turns, the last one first, so that no queued turn starts meanwhile.
function M.stop()
  local turns = turns_of()
  if #turns == 0 then
    say.info('no answer is running')
  end
  for i = #turns, 1, -1 do
    stop(turns[i])
  end
end

--- Ends the turns of a server that has ended.
function M.server_ended(server)
  permission.forget(server)
  for token, message in pairs(steering) do
    steering[token] = message.server ~= server and message or nil
  end
  for _, turn in ipairs(turns_of()) do
    if turn.server == server then
      if turn.id then
        finish(turn, 'interrupted: the server ended; :Ploke continue resumes it', 'interrupted')
      else
        fail(turn, 'the server ended')
      end
    end
  end
end

return M
