--- Files and symbols that an answer names without citing a place: `main.go`, greet/greet.go:12, `Server.Run`. The index is
--- asked for them when a person goes there, so that what an answer names costs nothing until then.

local citation = require('ploke.citation')
local client = require('ploke.client')
local requests = require('ploke.requests')
local say = require('ploke.say')

local M = {}

--- Returns what a pattern captures of a line where a match covers a column (1-based).
local function covering(line, column, pattern)
  local from = 1
  while true do
    local first, last, one, two = line:find(pattern, from)
    if not first or first > column then
      return nil
    elseif last >= column then
      return one, two
    end
    from = last + 1
  end
end

--- Returns the name at a column of a line: a path, with its line, or what is in backquotes.
--- @param column number 1-based
--- @return string|nil name
--- @return string|nil line of a file, as it is written; nil for what is not a path
function M.at(line, column)
  local path, number = covering(line, column, '([%w@._/-]+%.%w+):?(%d*)')
  if path and (number ~= '' or path:find('/', 1, true) or covering(line, column, '`(' .. vim.pesc(path) .. ')`')) then
    return path, number
  end
  return (covering(line, column, '`([^`]+)`'))
end

--- Returns the completions whose labels are a name, or end with it behind a separator.
local function named(items, kind, separator, name)
  return vim.tbl_filter(function(item)
    return item.kind == kind and vim.endswith(separator .. item.label, separator .. name)
  end, items)
end

--- Returns the symbols with a name, else those with its last part: what is before it may be a package.
local function symbols(items, name)
  local found = named(items, 'symbol', '::', name)
  return #found > 0 and found or named(items, 'symbol', '::', (name:gsub('^.*::', '')))
end

local function open(server, item, number)
  local at = { line = math.max((tonumber(number) or 1) - 1, 0), character = 0 }
  local place = { uri = item.attachment.uri, range = item.attachment.range or { start = at, ['end'] = at } }
  citation.open(place, client.encoding(server))
end

--- Opens what has a name; the person chooses among several.
--- @param number string|nil the line of a file; of a symbol, it is nil
function M.open(name, number)
  local symbol = name:gsub('%b()$', ''):gsub('%.', '::')
  local word = number and '@' .. name or '#' .. symbol:gsub('^.*::', '')
  client.with(function(server)
    requests.chat_complete(server, { text = word }, function(result)
      local found = number and named(result.items, 'file', '/', name) or symbols(result.items, symbol)
      if #found == 0 and number == '' then -- such as `server.Run`
        return M.open(name)
      elseif #found == 0 then
        return say.info(('the index has nothing named %s'):format(name))
      elseif #found == 1 then
        return open(server, found[1], number)
      end
      local options = { prompt = name, format_item = function(item) return ('%s %s'):format(item.label, item.detail or '') end }
      vim.ui.select(found, options, function(item) return item and open(server, item, number) end)
    end)
  end)
end

return M
