--- The messages that shall steer a running answer, until a turn confirms that they have joined it.

local M = {}

--- @class ploke.Steering
--- @field message ploke.OutgoingMessage
--- @field conversation ploke.OpenConversation
--- @field server table
--- @field request number|nil

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

--- Removes a message that has joined a turn of a conversation.
function M.confirm(conversation, text)
  for token, steers in pairs(waiting) do
    if steers.conversation == conversation and steers.message.text == text then
      waiting[token] = nil
      return
    end
  end
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
