--- The status line text, vim.g.ploke_status. Each activity has a key, under which it sets its own text.

local events = require('ploke.events')

local M = {}

local activities = {} -- { key, text }, oldest first
local titles = {} -- key of a work done progress -> its title
local servers = 0
local review -- such as '2/5', while hunks wait

local function find(key)
  for i, activity in ipairs(activities) do
    if activity.key == key then
      return i
    end
  end
end

local function publish()
  local text = M.text()
  if vim.g.ploke_status == text then
    return
  end
  vim.g.ploke_status = text
  events.fire('PlokeStatus', { text = text })
  vim.cmd('redrawstatus!')
end

--- @return string
function M.text()
  local name = review and 'ploke ' .. review or 'ploke'
  if #activities == 0 then
    return servers > 0 and name or ''
  end
  local texts = {}
  for _, activity in ipairs(activities) do
    table.insert(texts, activity.text)
  end
  return name .. ': ' .. table.concat(texts, ', ')
end

--- Shows `text` for an activity until its key is set again; nil removes it.
function M.set(key, text)
  local at = find(key)
  if text and at then
    activities[at].text = text
  elseif text then
    table.insert(activities, { key = key, text = text })
  elseif at then
    table.remove(activities, at)
  end
  publish()
end

--- Shows where the person is in the review, such as '2/5'; nil if nothing waits.
function M.review(text)
  review = text
  publish()
end

--- Changes the number of running servers.
function M.servers(change)
  servers = servers + change
  publish()
end

--- Shows a work done progress that has a percentage, as indexing does. Other progress belongs to
--- turns, which have activities of their own.
--- @param client_id number
--- @param params { token: string|number, value: table }
--- @return number|nil how much of it is done, while it runs
function M.progress(client_id, params)
  local key, value = ('progress %d %s'):format(client_id, params.token), params.value
  if value.kind == 'begin' and value.percentage then
    titles[key] = value.title:gsub('^ploke: ', '')
  end
  if value.kind == 'end' then
    titles[key] = nil
    M.set(key, nil)
  elseif titles[key] and value.percentage then
    M.set(key, ('%s %d%%'):format(titles[key], value.percentage))
    return value.percentage
  end
end

--- Removes the progress of a server that has ended.
function M.forget(client_id)
  local prefix = ('progress %d '):format(client_id)
  activities = vim.tbl_filter(function(activity)
    return not vim.startswith(activity.key, prefix)
  end, activities)
  publish()
end

return M
