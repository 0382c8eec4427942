--- The turns that run: those that we asked for, told by a partial result token, and those that a
--- code action started, told by ploke/event. Both stream into a section of the chat.

local chat = require('ploke.chat')
local client = require('ploke.client')
local permission = require('ploke.permission')
local proposal = require('ploke.proposal')
local requests = require('ploke.requests')
local status = require('ploke.status')

local M = {}

--- @class ploke.Turn
--- @field key string our token, or the server's id of a turn that we did not ask for
--- @field id string|nil the server's id, once it has told it
--- @field server table
--- @field conversation { id: string|nil, held: function[] }
--- @field section table of the chat
--- @field request number|nil
--- @field waits boolean|nil for the turns before it
--- @field attached boolean|nil followed by events, whatever comes for the request

local token_prefix = 'ploke.nvim/'
local running = {} -- key -> turn
local joining = {} -- token -> { text, conversation, server }: messages that no turn has taken in yet
local current = {} -- root folder -> the conversation that goes on; its first turn brings the id
local asked = 0

local function by_id(id)
  for _, turn in pairs(running) do
    if turn.id == id then
      return turn
    end
  end
end

--- The turns of a conversation, or all of them, in the order in which they were asked for.
local function turns_of(conversation)
  local turns = vim.tbl_filter(function(turn)
    return not conversation or turn.conversation == conversation
  end, vim.tbl_values(running))
  table.sort(turns, function(a, b)
    return a.order < b.order
  end)
  return turns
end

--- A title as a line has room for it.
local function short(title)
  local line = vim.split(title, '\n', { plain = true })[1]
  return vim.fn.strchars(line) > 40 and vim.fn.strcharpart(line, 0, 39) .. '…' or line
end

--- What the status says of a turn that runs.
local function working(turn)
  local title = short(turn.title)
  return vim.endswith(title, '…') and title or title .. ' …'
end

--- Shows in the status that a turn runs, or does not.
local function tell(turn, runs)
  status.set(turn.key, runs and working(turn) or nil)
end

local function begin(key, server, conversation, title)
  asked = asked + 1
  local turn = {
    key = key, order = asked, server = server, conversation = conversation, title = title,
    section = chat.section(title, client.encoding(server)),
  }
  running[key] = turn
  tell(turn, true)
  return turn
end

--- Sends what had to wait for the conversation's id.
local function release(conversation)
  local held = conversation.held
  conversation.held = {}
  for _, send in ipairs(held) do
    send()
  end
end

--- Ends a turn once, however often it is told to.
local function finish(turn, note)
  if not running[turn.key] then
    return false
  end
  running[turn.key] = nil
  tell(turn, false)
  turn.section:state(nil)
  if note then
    turn.section:note(note)
  end
  turn.section:close()
  release(turn.conversation)
  return true
end

local function wait(turn, waits)
  turn.waits = waits
  turn.section:state(waits and 'waits for the answer before it' or nil)
  tell(turn, not waits)
end

local show = {
  message = function(turn, part)
    turn.streamed = true
    if part.replace then
      turn.section:take_back()
    end
    turn.section:write(part.text or '')
  end,
  toolCall = function(turn, part)
    turn.section:tool_call(part)
  end,
  citation = function(turn, part)
    turn.section:cite(part)
  end,
  proposal = function(turn, part)
    proposal.offer(turn.server, turn.section, part)
  end,
  notice = function(turn, part)
    turn.section:note(part.text)
  end,
  userMessage = function(turn, part)
    turn.section:state(nil)
    turn.section:question(part.text)
    for token, message in pairs(joining) do
      if message.conversation == turn.conversation and message.text == part.text then
        joining[token] = nil
        return
      end
    end
  end,
  permission = function(turn, part)
    permission.take(turn.server, turn.section, part)
    local title = permission.asked(turn.section)
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

local ending = {
  cancelled = 'stopped',
  limit = 'stopped at a limit; :Ploke continue goes on',
  error = 'failed',
}

--- @param answer ploke.Answer
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
  finish(turn, answer.error and 'failed: ' .. answer.error or ending[answer.stopReason])
end

local function conversation_of(server)
  current[server.root] = current[server.root] or { held = {} }
  return current[server.root]
end

--- A message that no turn took in has a turn of its own.
local function begin_own(token)
  local message = joining[token]
  joining[token] = nil
  local turn = begin(token, message.server, message.conversation, message.text)
  turn.request = message.request
  return turn
end

local function send(token, server, conversation, params)
  params.partialResultToken, params.conversationId = token, conversation.id
  local request = requests.chat_send(server, params, function(answer)
    conversation.id = answer.conversationId
    local turn = running[token] or joining[token] and begin_own(token)
    if turn and not turn.attached then -- else its events tell the end, too
      complete(turn, answer)
    end
  end, function(err)
    local turn = running[token] or joining[token] and begin_own(token)
    if turn then
      finish(turn, 'failed: ' .. err.message)
    end
  end);
  (running[token] or joining[token] or {}).request = request
end

--- Asks in the conversation of the current file's root folder. While an answer is written there,
--- the question waits for its end, or joins it.
--- @param question string
--- @param attachments { uri: string, range: table|nil }[]|nil
--- @param steers boolean|nil whether it joins
function M.ask(question, attachments, steers)
  client.with(function(server)
    local conversation = conversation_of(server)
    local before = turns_of(conversation)
    local token = token_prefix .. asked + 1
    if steers and before[1] then
      asked = asked + 1
      joining[token] = { text = question, conversation = conversation, server = server }
      before[1].section:state(('“%s” joins at the next step'):format(short(question)))
    else
      begin(token, server, conversation, question)
    end
    local function go()
      if running[token] or joining[token] then
        send(token, server, conversation, {
          text = question, attachments = attachments, whileBusy = steers and 'steer' or 'queue',
        })
      end
    end
    if not conversation.id and before[1] then
      table.insert(conversation.held, go)
    else
      go()
    end
  end)
end

--- Has an answer go on that was interrupted, or stopped at a limit.
function M.continue()
  M.ask('Go on where you stopped.')
end

--- Takes a partial result in.
--- @return boolean whether the token is one of ours
function M.partial(token, value)
  if type(token) ~= 'string' or not vim.startswith(token, token_prefix) then
    return false
  end
  if joining[token] and not by_id(value.turnId) then
    begin_own(token)
  end
  local turn = running[token] -- nil for a message that joined: the turn that took it in tells the same
  if turn then
    turn.id = value.turnId
    if not turn.conversation.id then
      turn.conversation.id = value.conversationId
      release(turn.conversation)
    end
    if show[value.type] and not turn.attached then
      show[value.type](turn, value)
    end
  end
  return true
end

local function take(turn, event)
  if event.type == 'turnFinished' then
    complete(turn, event.result)
  elseif show[event.type] then
    show[event.type](turn, event)
  end
end

--- The conversation with this id, if it goes on somewhere here.
local function known(id)
  for _, conversation in pairs(current) do
    if conversation.id == id then
      return conversation
    end
  end
  return { id = id, held = {} }
end

--- Takes a ploke/event in: what happens without a request of ours.
function M.event(server, event)
  local turn = event.turnId and by_id(event.turnId)
  if turn and turn.events then
    table.insert(turn.events, event)
  elseif turn and not turn.attached then
    return -- it comes for the request, too
  elseif turn then
    take(turn, event)
  elseif event.type == 'turnStarted' then
    turn = begin(event.turnId, server, known(event.conversationId), event.title)
    turn.id, turn.attached = event.turnId, true
  elseif event.type == 'proposal' and event.status then
    proposal.changed(server, event.id, event.status)
  end -- a notice of no turn comes as window/showMessage, too
end

--- Comes back to a turn that runs, in a new section. Calls back, with whether it does run.
function M.attach(server, conversation, id, title, callback)
  local turn = by_id(id)
  if turn then
    turn.section = chat.section(title, client.encoding(server))
  else
    turn = begin(id, server, conversation, title)
    turn.id = id
  end
  turn.attached, turn.streamed, turn.events = true, nil, {}
  requests.chat_attach(server, { turnId = id, afterSeq = 0 }, function(result)
    local later = turn.events
    turn.events = nil
    for _, event in ipairs(vim.list_extend(result.events, later)) do
      take(turn, event)
    end
    callback(true)
  end, function()
    turn.events = nil
    finish(turn)
    callback(false)
  end)
end

--- Makes a conversation the one that goes on.
function M.go_on(server, conversation)
  current[server.root] = conversation
end

--- @return { id: string|nil, held: function[] } the conversation that goes on
M.conversation = conversation_of

local function stop(turn)
  if turn.request then
    requests.cancel(turn.server, turn.request)
  elseif turn.conversation.id then
    requests.chat_stop(turn.server, { conversationId = turn.conversation.id }, function() end)
  end
  finish(turn, turn.waits and 'withdrawn' or 'stopped')
end

--- Stops every turn that runs or waits, the last one first, so that none starts by it.
function M.stop()
  local turns = turns_of()
  if #turns == 0 then
    vim.notify('ploke: nothing is running', vim.log.levels.INFO)
  end
  for i = #turns, 1, -1 do
    stop(turns[i])
  end
end

--- The next question begins another conversation.
function M.new()
  current = {}
  vim.notify('ploke: the next question begins a new conversation', vim.log.levels.INFO)
end

--- Ends the turns of a server that has ended.
function M.server_ended(server)
  permission.forget(server)
  for token, message in pairs(joining) do
    joining[token] = message.server ~= server and message or nil
  end
  for _, turn in ipairs(turns_of()) do
    if turn.server == server then
      finish(turn, 'failed: the server ended')
    end
  end
end

return M
