--- Draws the parts of an answer in its section, whether they stream in or were stored.

local evidence = require('ploke.evidence')
local proposal = require('ploke.proposal')

local M = {}

local draw = {
  message = function(_, section, part)
    if part.replace then
      section:retract()
    end
    section:write(part.text or '')
  end,
  thought = function(_, section, part)
    section:think(part.text)
  end,
  toolCall = function(_, section, part)
    section:tool_call(part)
  end,
  toolOutput = function(_, section, part)
    section:tool_output(part)
  end,
  citation = function(_, section, part)
    section:cite(part)
  end,
  proposal = function(server, section, part)
    proposal.offer(server, section, part)
  end,
  evidence = function(_, _, part)
    evidence.set(part.id, part.evidence)
  end,
  notice = function(_, section, part)
    section:note(part.text)
  end,
}

--- Draws a part. Parts of other types, which don't belong to the text of an answer, are left out.
--- @param part ploke.Part
function M.draw(server, section, part)
  if draw[part.type] then
    draw[part.type](server, section, part)
  end
end

local function thousands(count)
  return count < 1000 and tostring(count) or ('%.1fk'):format(count / 1000)
end

--- Says in a few words which model answered, how many tokens it took, and what it cost.
--- @param answer ploke.ChatSendResult|ploke.Message
--- @return string
function M.usage(answer)
  local usage, words = answer.usage, {}
  table.insert(words, answer.model)
  if usage and usage['in'] + usage.out > 0 then
    local cached = usage.cached > 0 and (' (%s cached)'):format(thousands(usage.cached)) or ''
    table.insert(words, ('%s%s + %s tokens'):format(thousands(usage['in']), cached, thousands(usage.out)))
  end
  if usage and usage.cost and usage.cost > 0 then
    table.insert(words, ('$%.4f'):format(usage.cost))
  end
  local context = answer.context
  if context and context.window and context.window > 0 then
    table.insert(words, ('%d %% of the context'):format(math.ceil(100 * context.used / context.window)))
  end
  return table.concat(words, ' · ')
end

return M
