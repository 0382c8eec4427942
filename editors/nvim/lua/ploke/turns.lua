--- The turns that run: those that we asked for, told by a partial result token, and those that a
--- code action started, told by ploke/event. Both stream into a section of the chat.

local chat = require('ploke.chat')
local client = require('ploke.client')
local proposal = require('ploke.proposal')
local requests = require('ploke.requests')
local status = require('ploke.status')

local M = {}

local token_prefix = 'ploke.nvim/'
local running = {} -- token or turn id -> turn
local conversations = {} -- root folder -> id of the conversation that goes on
local asked = 0

--- A title as a status line has room for it.
local function short(title)
  local line = vim.split(title, '\n', { plain = true })[1]
  return vim.fn.strchars(line) > 40 and vim.fn.strcharpart(line, 0, 39) .. '…' or line .. ' …'
end

local function begin(key, server, title)
  local turn = { key = key, server = server, section = chat.section(title, client.encoding(server)) }
  running[key] = turn
  status.set(key, short(title))
  return turn
end

--- Ends a turn once, however often it is told to.
local function finish(turn, note)
  if not running[turn.key] then
    return false
  end
  running[turn.key] = nil
  status.set(turn.key, nil)
  if note then
    turn.section:note(note)
  end
  return true
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
}

local ending = {
  cancelled = 'stopped',
  limit = 'stopped at a limit; ask again to go on',
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

--- Asks in the conversation of the current file's root folder.
--- @param question string
--- @param attachments { uri: string, range: table|nil }[]|nil
function M.ask(question, attachments)
  client.with(function(server)
    asked = asked + 1
    local turn = begin(token_prefix .. asked, server, question)
    turn.request = requests.chat_send(server, {
      conversationId = conversations[server.root],
      text = question,
      attachments = attachments,
      partialResultToken = turn.key,
    }, function(answer)
      conversations[server.root] = answer.conversationId
      if running[turn.key] then
        complete(turn, answer)
      end
    end, function(err)
      finish(turn, 'failed: ' .. err.message)
    end)
  end)
end

--- Takes a partial result in.
--- @return boolean whether the token is one of ours
function M.partial(token, value)
  if type(token) ~= 'string' or not vim.startswith(token, token_prefix) then
    return false
  end
  local turn = running[token]
  if turn and show[value.type] then
    show[value.type](turn, value)
  end
  return true
end

--- Takes a ploke/event in: what happens without a request of ours.
function M.event(server, event)
  local turn = event.turnId and running[event.turnId]
  if event.type == 'turnStarted' then
    turn = begin(event.turnId, server, event.title)
    turn.conversation = event.conversationId
  elseif event.type == 'turnFinished' and turn then
    complete(turn, event.result)
  elseif turn and show[event.type] then
    show[event.type](turn, event)
  elseif event.type == 'proposal' and event.status then
    proposal.changed(event.id, event.status)
  end -- a notice of no turn comes as window/showMessage, too
end

local function stop(turn)
  if turn.request then
    requests.cancel(turn.server, turn.request)
  else
    requests.chat_stop(turn.server, { conversationId = turn.conversation }, function() end)
  end
  finish(turn, 'stopped')
end

--- Stops every turn that runs.
function M.stop()
  local turns = vim.tbl_values(running)
  if #turns == 0 then
    vim.notify('ploke: nothing is running', vim.log.levels.INFO)
  end
  vim.tbl_map(stop, turns)
end

--- The next question begins another conversation.
function M.new()
  conversations = {}
  vim.notify('ploke: the next question begins a new conversation', vim.log.levels.INFO)
end

--- Ends the turns of a server that has ended.
function M.server_ended(server)
  for _, turn in pairs(running) do
    if turn.server == server then
      finish(turn, 'failed: the server ended')
    end
  end
end

return M
