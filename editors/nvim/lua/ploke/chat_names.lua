--- Files and symbols that an answer names without citing a place: `main.go`, greet/greet.go:12, `Server.Run`.

local citation = require('ploke.citation')
local client = require('ploke.client')
local requests = require('ploke.requests')
local say = require('ploke.say')

local M = {}

local longest = 2000 -- bytes of a line in which names are looked for

--- @class ploke.Name
--- @field name string a path, or what is in backquotes
--- @field number string|nil the line of a file, as it is written; nil for what is not a path
--- @field first number its first byte, 1-based
--- @field last number its last byte

--- Returns the names in a line: paths, and then what is in backquotes.
--- @return ploke.Name[]
function M.all(line)
  local found, alone = {}, {}
  if #line > longest then
    return found
  end
  for first, path, number, behind in line:gmatch('()([%w@._/-]+%.%w+):?(%d*)()') do
    local quoted = line:sub(first - 1, first - 1) == '`' and line:sub(behind, behind) == '`'
    if quoted or number ~= '' or path:find('/', 1, true) then
      alone[first] = quoted
      table.insert(found, { name = path, number = number, first = first, last = number == '' and first + #path - 1 or behind - 1 })
    end
  end
  for first, name, last in line:gmatch('`()([^`]+)()`') do
    if not alone[first] then
      table.insert(found, { name = name, first = first, last = last - 1 })
    end
  end
  return found
end

--- Returns the name at a column of a line.
--- @param column number 1-based; that of a backquote counts, too
--- @return string|nil name
--- @return string|nil line of a file
function M.at(line, column)
  for _, each in ipairs(M.all(line)) do
    local border = line:sub(each.last + 1, each.last + 1) == '`' and 1 or 0
    if column >= each.first - border and column <= each.last + border then
      return each.name, each.number
    end
  end
end

--- Returns a name as the server looks for it.
function M.word(name, number)
  return number and number ~= '' and ('%s:%s'):format(name, number) or name
end

local function open(server, place)
  local start = { line = 0, character = 0 }
  citation.open({ uri = place.uri, range = place.range or { start = start, ['end'] = start } }, client.encoding(server))
end

--- Opens what has a name; the person chooses among several.
--- @param number string|nil the line of a file; of a symbol, it is nil
function M.open(name, number)
  local word = M.word(name, number)
  client.with(function(server)
    requests.chat_places(server, { names = { word } }, function(result)
      local found = result.places
      if #found == 0 then
        return say.info(('the index has nothing named %s'):format(name))
      elseif #found == 1 then
        return open(server, found[1])
      end
      local options = { prompt = name, format_item = function(place) return place.label end }
      vim.ui.select(found, options, function(place) return place and open(server, place) end)
    end)
  end)
end

return M
