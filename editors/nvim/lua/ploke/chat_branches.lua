--- Which of several branches begins with a question, behind the question.

local chat = require('ploke.chat')
local requests = require('ploke.requests')

local M = {}

--- Shows behind each question that has alternatives which one it is.
--- @param conversation ploke.OpenConversation
function M.show(server, conversation)
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

return M
