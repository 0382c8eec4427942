--- Questions for leave: shown in the turn that asks, answered by a command, never by a key that
--- is pressed for something else.

local requests = require('ploke.requests')

local M = {}

local open = {} -- { id, title, server, section, mark }, oldest first

local hint = ':Ploke allow [always] / :Ploke deny [always]'

local function find(id)
  for i, question in ipairs(open) do
    if question.id == id then
      return i
    end
  end
end

--- @param question { id: string, turnId: string, title: string, detail: string|nil }
function M.ask(server, question)
  local entry = { id = question.id, title = question.title, server = server }
  entry.section = require('ploke.turns').section(question.turnId)
  if entry.section then
    entry.mark = entry.section:line(('Asks: %s — %s'):format(question.title, hint), 'PlokeProposal')
    for _, line in ipairs(vim.split(question.detail or '', '\n', { plain = true, trimempty = true })) do
      entry.section:line('    ' .. line, 'PlokeNote')
    end
  end
  table.insert(open, entry)
  vim.notify(('ploke asks: %s\n%s'):format(question.title, hint), vim.log.levels.WARN)
end

--- Takes a part of a turn in: a question was asked, or needs no answer any more.
--- @param part { id: string, status: 'asked'|'granted'|'denied' }
function M.settled(part)
  local at = part.status ~= 'asked' and find(part.id)
  if at then
    local entry = table.remove(open, at)
    if entry.mark then
      entry.section:replace(entry.mark, ('Asks: %s — %s'):format(entry.title, part.status), 'PlokeNote')
    end
  end
end

--- Answers the oldest open question.
--- @param answer 'allowOnce'|'allowAlways'|'rejectOnce'|'rejectAlways'
function M.answer(answer)
  local entry = open[1]
  if not entry then
    vim.notify('ploke: nothing is asked', vim.log.levels.INFO)
    return
  end
  requests.permission_answer(entry.server, { id = entry.id, answer = answer }, function() end)
end

--- Forgets the questions of a server that has ended.
function M.forget(server)
  open = vim.tbl_filter(function(question)
    return question.server ~= server
  end, open)
end

return M
