--- The messages that shall steer a running answer, until a turn confirms that they have joined it.

local M = {}

--- @class ploke.Steering
--- @field message ploke.OutgoingMessage
--- @field conversation ploke.OpenConversation
--- @field server table
--- @field request number|nil
--- @field id string|nil of the message, once the server has stored it

local waiting = {} -- token -> ploke.Steering

--- @param steers ploke.Steering
function M.add(token, steers)
  waiting[token] = steers
end

--- @return ploke.Steering|nil
function M.get(token)
  return waiting[token]
end

--- Removes a message, and returns it.
function M.take(token)
  local steers = waiting[token]
  waiting[token] = nil
  return steers
end

--- Handles what the server says to a message, which it says it has before the message joins a turn.
--- @return boolean whether it is about a turn that the message joins
function M.handle(token, part)
  local steers = waiting[token]
  if steers and part.type == 'steering' then
    steers.id = part.id
  elseif steers and part.type == 'userMessage' and part.id == steers.id then
    waiting[token] = nil
  end
  return steers ~= nil and steers.id ~= nil
end

--- Removes the messages to a server that has ended, and returns their texts.
--- @return string[]
function M.drop(server)
  local texts = {}
  for token, steers in pairs(waiting) do
    if steers.server == server then
      waiting[token] = nil
      table.insert(texts, steers.message.text)
    end
  end
  return texts
end

return M
