--- Permission requests: shown in the turn that they belong to, and answered by a command, so that no
--- key pressed for something else can answer one. Permanent answers can be revoked.

local client = require('ploke.client')
local events = require('ploke.events')
local requests = require('ploke.requests')
local say = require('ploke.say')

local M = {}

local open = {} -- { id, title, server, section, mark }, oldest first

--- @param question ploke.PermissionAskParams|ploke.Part
local function hint(question)
  if question.onlyOnce then
    return ':Ploke allow / :Ploke deny'
  end
  return question.exact and ':Ploke allow [always|exactly] / :Ploke deny [always]' or ':Ploke allow [always] / :Ploke deny [always]'
end

local function find(id)
  for i, question in ipairs(open) do
    if question.id == id then
      return i
    end
  end
end

--- Notifies the user of a permission request. The turn shows its details.
--- @param question ploke.PermissionAskParams
function M.ask(question)
  events.fire('PlokePermission', { title = question.title })
  say.warn(('permission to %s? %s'):format(question.title, hint(question)))
end

local function show(server, section, part)
  local mark = section:line(('Permission: %s — %s'):format(part.title, hint(part)), 'PlokeProposal')
  for _, line in ipairs(vim.split(part.detail or '', '\n', { plain = true, trimempty = true })) do
    section:line('    ' .. line, 'PlokeNote')
  end
  table.insert(open, { id = part.id, title = part.title, server = server, section = section, mark = mark })
end

--- Handles a permission part of a turn: a request is open, or answered.
--- @param part ploke.Part of the type permission
function M.update(server, section, part)
  local at = find(part.id)
  if part.status == 'asked' then
    show(server, section, part)
  elseif at then
    local entry = table.remove(open, at)
    entry.section:replace(entry.mark, ('Permission: %s — %s'):format(entry.title, part.status), 'PlokeNote')
  end
end

--- @return string|nil the title of the oldest open request in a section
function M.open_title(section)
  for _, question in ipairs(open) do
    if question.section == section then
      return question.title
    end
  end
end

--- @return boolean whether a request is open
function M.is_asked()
  return open[1] ~= nil
end

--- Answers the oldest open request.
--- @param answer ploke.PermissionAnswer
function M.answer(answer)
  local entry = open[1]
  if not entry then
    say.info('no permission request is open')
    return
  end
  requests.permission_answer(entry.server, { id = entry.id, answer = answer }, function() end)
end

local function forget(server, answer)
  requests.permission_forget(server, { key = answer.key }, function()
    say.info('you will be asked again: ' .. answer.title)
  end)
end

--- Lists the permanent answers of this workspace, and revokes the chosen one.
function M.manage()
  client.with(function(server)
    requests.permission_list(server, function(result)
      if #result.permissions == 0 then
        say.info('no permanent answers in this workspace')
        return
      end
      vim.ui.select(result.permissions, {
        prompt = 'Revoke which answer?',
        format_item = function(answer)
          return ('%s %s, since %s'):format(answer.allowed and 'always allow:' or 'always deny:', answer.title, answer.since:sub(1, 10))
        end,
      }, function(answer)
        if answer then
          forget(server, answer)
        end
      end)
    end)
  end)
end

--- Drops the open requests of a server that has ended.
function M.forget(server)
  open = vim.tbl_filter(function(question)
    return question.server ~= server
  end, open)
end

return M
