--- What lines of the transcript stand for: a cited place, or a tool call. It is kept by extmark.

local buffer = require('ploke.chat_buffer')
local citation = require('ploke.citation')
local code_block = require('ploke.code_block')
local say = require('ploke.say')

local M = {}

--- @class ploke.Place
--- @field citation ploke.Citation|nil
--- @field encoding string|nil of the citation
--- @field call string|nil the id of a tool call

local places = {} -- extmark id -> ploke.Place

function M.set(mark, place)
  places[mark] = place
end

function M.forget(mark)
  places[mark] = nil
end

function M.clear()
  places = {}
end

--- @return ploke.Place|nil that of a row, which has one at most
function M.on(row)
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer.get(), buffer.namespace, { row, 0 }, { row, -1 }, {})) do
    if places[mark[1]] then
      return places[mark[1]]
    end
  end
end

--- Returns the place of a row (0-based): its own, else that of the line above the code block around it.
--- @return ploke.Place|nil
function M.at(row)
  local found = M.on(row)
  if not found then
    local fence = code_block.fence(buffer.get(), row)
    found = fence and fence > 0 and M.on(fence - 1) or nil
  end
  return found
end

--- Opens what the line under the cursor stands for.
function M.follow()
  local found = M.at(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if found and found.citation then
    citation.open(found.citation, found.encoding)
  elseif found then
    require('ploke.tool_call').show(found.call)
  else
    say.info('no place is cited here; lines with → and code blocks have one')
  end
end

return M
