--- What lines of the transcript stand for: cited places, addresses, a tool call, or what is known of a proposal. It is kept by extmark.

local buffer = require('ploke.chat_buffer')
local citation = require('ploke.citation')
local code_block = require('ploke.code_block')
local name_links = require('ploke.chat_name_links')
local names = require('ploke.chat_names')
local say = require('ploke.say')

local M = {}

--- @class ploke.Place
--- @field citation ploke.Citation|nil
--- @field encoding string|nil of the citation
--- @field address string|nil of a link that the server has not checked
--- @field call string|nil the id of a tool call
--- @field output table|nil what that call has printed so far, see tool_output.lua, while it runs
--- @field proposal string|nil the id of a proposal that the line says something of

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

--- @param column number|nil the last place of the row counts if it is nil
--- @return ploke.Place|nil the first one of a row that ends behind a column, else the last one
function M.on(row, column)
  local found
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer.get(), buffer.namespace, { row, 0 }, { row, -1 }, {})) do
    found = places[mark[1]] or found
    if places[mark[1]] and column and mark[3] > column then
      break
    end
  end
  return found
end

--- Returns the place at a position (0-based): of its row, else of the line above the code block around it.
--- @return ploke.Place|nil
function M.at(row, column)
  local found = M.on(row, column)
  if not found then
    local fence = code_block.fence(buffer.get(), row)
    found = fence and fence > 0 and M.on(fence - 1) or nil
  end
  return found
end

--- Opens an address: a page in the browser, or a file of the workspace.
local function open_address(address)
  local scheme = address:match('^(%a[%w+.-]+):')
  if scheme == 'http' or scheme == 'https' then
    say.info('opens ' .. address)
    return vim.ui.open and vim.ui.open(address)
  end
  local path, line = address:gsub('^file://', ''):match('^([^#]*)#?L?(%d*)')
  local file = vim.fn.filereadable(path) == 1 and path or vim.fn.getcwd() .. '/' .. path
  if (scheme and scheme ~= 'file') or vim.fn.filereadable(file) == 0 then
    return say.info('nothing is opened at ' .. address)
  end
  local at = { line = math.max((tonumber(line) or 1) - 1, 0), character = 0 }
  citation.open({ uri = vim.uri_from_fname(file), range = { start = at, ['end'] = at } }, 'utf-16')
end

--- Opens what is under the cursor, or what its line stands for, else what the text at the cursor names.
function M.follow()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  local found = M.at(row - 1, column)
  local name, number = names.at(vim.api.nvim_get_current_line(), column + 1)
  if name and name_links.at(row - 1, column) then
    names.open(name, number)
  elseif found and found.citation then
    citation.open(found.citation, found.encoding)
  elseif found and found.address then
    open_address(found.address)
  elseif found and found.proposal then
    require('ploke.evidence_view').open(found.proposal)
  elseif found and found.output and found.output.text ~= '' then
    found.output:open()
  elseif found then
    require('ploke.tool_call').show(found.call)
  elseif name then
    names.open(name, number)
  else
    say.info('no place is cited here; lines with → and code blocks have one')
  end
end

return M
