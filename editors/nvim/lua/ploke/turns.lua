--- The running turns. A turn that was started here reports by partial results, a turn that a code action
--- started by ploke/event.

local chat = require('ploke.chat')
local chat_branches = require('ploke.chat_branches')
local client = require('ploke.client')
local completion = require('ploke.chat_completion')
local evidence = require('ploke.evidence')
local mentions = require('ploke.chat_mentions')
local model = require('ploke.model')
local permission = require('ploke.permission')
local proposal = require('ploke.proposal')
local requests = require('ploke.requests')
local say = require('ploke.say')
local steering = require('ploke.steering')
local Turn = require('ploke.turn')

local M = {}

local token_prefix = 'ploke.nvim/'
local current = {} -- root folder -> current conversation, whose first turn sets its id
local last_token = 0

local function conversation_of(server)
  current[server.root] = current[server.root] or { pending = {} }
  return current[server.root]
end

--- Returns the running turn of a token. A steering message that has joined no turn begins its own.
local function turn_of(token)
  local steers = not Turn.by_key(token) and steering.take(token)
  if not steers then
    return Turn.by_key(token)
  end
  local turn = Turn.begin(token, steers.server, steers.conversation, steers.message.text, steers.message)
  turn.request = steers.request
  return turn
end

local function not_sent(token)
  return function(err)
    completion.after(function()
      local turn = turn_of(token)
      if turn then
        Turn.fail(turn, err.message)
      end
    end)
  end
end

local function answered(token, begun, answer)
  local turn = turn_of(token)
  if turn and not turn.attached then -- an attached turn ends by its events
    Turn.complete(turn, answer)
  elseif begun and not turn then -- it was stopped here
    Turn.record(begun, answer)
  end
end

local function send(token, server, conversation, params)
  params.partialResultToken, params.conversationId, params.model = token, conversation.id, model.chosen()
  params.parentId, conversation.leaf = params.parentId or conversation.leaf, nil
  local begun = Turn.by_key(token)
  local request = requests.chat_send(server, params, function(answer)
    conversation.id = answer.conversationId
    completion.after(function() answered(token, begun, answer) end)
  end, not_sent(token));
  (Turn.by_key(token) or steering.get(token) or {}).request = request
end

--- Sends a message with what it mentions.
local function deliver(token, server, conversation, message)
  mentions.attach(server, message.text, message.attachments or {}, function(attachments)
    if Turn.by_key(token) or steering.get(token) then
      send(token, server, conversation, {
        text = require('ploke.context_words').expand(message.text), attachments = attachments, parentId = message.parentId, whileBusy = message.steers and 'steer' or 'queue',
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
    local before = Turn.of(conversation)
    last_token = last_token + 1
    local token = token_prefix .. last_token
    if message.steers and before[1] then
      steering.add(token, { message = message, conversation = conversation, server = server })
      before[1].section:state(('“%s” joins at the next step'):format(Turn.short(message.text)))
    else
      Turn.begin(token, server, conversation, message.text, message)
    end
    local function go()
      if Turn.by_key(token) or steering.get(token) then
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
  if steering.handle(token, value) then
    return
  end
  local turn = turn_of(token) -- nil for a message that joined a turn, which reports the same parts
  if turn then
    turn.id, turn.section.turn_id = value.turnId, value.turnId
    if not turn.conversation.id then
      turn.conversation.id = value.conversationId
      Turn.send_pending(turn.conversation)
    end
    if not turn.attached then
      Turn.draw(turn, value)
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
    Turn.complete(turn, event.result)
  else
    Turn.draw(turn, event)
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
  local turn = event.turnId and Turn.by_id(event.turnId)
  if turn and turn.events then
    table.insert(turn.events, event)
  elseif turn and not turn.attached then
    return -- partial results report the same
  elseif turn then
    apply(turn, event)
  elseif event.type == 'turnStarted' then
    turn = Turn.begin(event.turnId, server, find_conversation(event.conversationId), event.title)
    turn.id, turn.attached = event.turnId, true
  elseif event.type == 'proposal' and event.status then
    proposal.changed(server, event.id, event.status)
  elseif event.type == 'evidence' then
    evidence.set(event.id, event.evidence)
  end -- a notice without a turn also comes as window/showMessage
end

--- Handles a ploke/event, which reports what no request of this plugin has started.
function M.event(server, event)
  completion.after(function() handle_event(server, event) end)
end

--- Follows a running turn in a new section. Calls back with whether the turn still runs.
function M.attach(server, conversation, id, title, callback)
  local turn = Turn.by_id(id)
  if turn then
    turn.section = chat.section(title, nil, client.encoding(server))
  else
    turn = Turn.begin(id, server, conversation, title)
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
    Turn.finish(turn, nil, 'error')
    callback(false)
  end)
end

--- Shows how far the index is where answers have not begun.
M.indexing = Turn.indexing

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
  chat_branches.show(server, conversation_of(server))
end

local function stop(turn)
  if turn.request then
    requests.cancel(turn.server, turn.request)
  elseif turn.conversation.id then
    requests.chat_stop(turn.server, { conversationId = turn.conversation.id }, function() end)
  end
  Turn.finish(turn, turn.waits and 'withdrawn' or 'stopped', 'cancelled')
end

--- Stops the turns of the current conversation, the last one first.
function M.stop_conversation(server)
  local turns = Turn.of(conversation_of(server))
  for i = #turns, 1, -1 do
    stop(turns[i])
  end
end

--- Stops all running and queued turns, the last one first, so that no queued turn starts meanwhile.
function M.stop()
  local turns = Turn.of()
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
  vim.tbl_map(chat.take_back, steering.drop(server))
  for _, turn in ipairs(Turn.of()) do
    if turn.server == server then
      if turn.id then
        Turn.finish(turn, 'interrupted: the server ended; :Ploke continue resumes it', 'interrupted')
      else
        Turn.fail(turn, 'the server ended')
      end
    end
  end
end

return M
