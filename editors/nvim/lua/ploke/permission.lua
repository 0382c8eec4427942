--- Questions for leave: shown in the turn that asks, answered by a command, never by a key that
--- is pressed for something else. What was answered for ever can be taken back.

local client = require('ploke.client')
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

--- Points out that something is asked: the turn shows what.
--- @param question { title: string }
function M.ask(question)
  vim.notify(('ploke asks: %s\n%s'):format(question.title, hint), vim.log.levels.WARN)
end

local function show(server, section, part)
  local mark = section:line(('Asks: %s — %s'):format(part.title, hint), 'PlokeProposal')
  for _, line in ipairs(vim.split(part.detail or '', '\n', { plain = true, trimempty = true })) do
    section:line('    ' .. line, 'PlokeNote')
  end
  table.insert(open, { id = part.id, title = part.title, server = server, section = section, mark = mark })
end

--- Takes a part of a turn in: a question is asked, or needs no answer any more.
--- @param part { id: string, status: 'asked'|'granted'|'denied', title: string|nil, detail: string|nil }
function M.take(server, section, part)
  local at = find(part.id)
  if part.status == 'asked' then
    show(server, section, part)
  elseif at then
    local entry = table.remove(open, at)
    entry.section:replace(entry.mark, ('Asks: %s — %s'):format(entry.title, part.status), 'PlokeNote')
  end
end

--- @return string|nil the title of the oldest open question that a section shows
function M.asked(section)
  for _, question in ipairs(open) do
    if question.section == section then
      return question.title
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

local function forget(server, standing)
  requests.permission_forget(server, { key = standing.key }, function()
    vim.notify('ploke: you will be asked again: ' .. standing.title, vim.log.levels.INFO)
  end)
end

--- Lists the answers that hold for ever in this workspace; one that is chosen is taken back.
function M.choose_standing()
  client.with(function(server)
    requests.permission_list(server, function(result)
      if #result.permissions == 0 then
        vim.notify('ploke: nothing is allowed or denied for ever', vim.log.levels.INFO)
        return
      end
      vim.ui.select(result.permissions, {
        prompt = 'Take back which answer?',
        format_item = function(standing)
          return ('%s %s, since %s'):format(standing.allowed and 'always allow:' or 'always deny:', standing.title, standing.since:sub(1, 10))
        end,
      }, function(standing)
        if standing then
          forget(server, standing)
        end
      end)
    end)
  end)
end

--- Forgets the questions of a server that has ended.
function M.forget(server)
  open = vim.tbl_filter(function(question)
    return question.server ~= server
  end, open)
end

return M
