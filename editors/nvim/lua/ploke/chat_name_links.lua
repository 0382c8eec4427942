--- Marks the names of files and symbols in finished answers that lead to code, as chat_names.lua opens them. All names of what
--- was drawn in a moment are one request.

local buffer = require('ploke.chat_buffer')
local client = require('ploke.client')
local code_block = require('ploke.code_block')
local names = require('ploke.chat_names')
local requests = require('ploke.requests')

local M = {}

local most = 200 -- names in a request
local namespace = vim.api.nvim_create_namespace('ploke.chat.names')
local waiting = {} -- { mark: number, word: string }

vim.cmd('highlight default link PlokeName Underlined')

--- Marks the names that name something.
local function mark(found, known)
  for _, each in ipairs(found) do
    local row, col, span = unpack(vim.api.nvim_buf_get_extmark_by_id(buffer.get(), namespace, each.mark, { details = true }))
    if known[each.word] and row and span.end_col > col then
      vim.api.nvim_buf_set_extmark(buffer.get(), namespace, row, col, { id = each.mark, end_col = span.end_col, hl_group = 'PlokeName' })
    else
      vim.api.nvim_buf_del_extmark(buffer.get(), namespace, each.mark)
    end
  end
end

local function ask()
  local found, words, server = waiting, {}, client.ready()
  waiting = {}
  for _, each in ipairs(found) do
    table.insert(words, each.word)
  end
  if not server then
    return -- it has ended with the answer, and is not started for this
  end
  requests.chat_places(server, { names = words }, function(result)
    local known = {}
    for _, place in ipairs(result.places) do
      known[place.name] = true
    end
    if buffer.get() then
      mark(found, known)
    end
  end, function() end) -- the names stay as they are
end

--- @return fun(name: ploke.Name): boolean whether a name in a row is the text of a link
local function links_of(row)
  local marks = vim.api.nvim_buf_get_extmarks(buffer.get(), buffer.namespace, { row, 0 }, { row, -1 }, { details = true })
  return function(name)
    return #vim.tbl_filter(function(mark)
      return mark[4].hl_group and mark[4].end_row == row and mark[3] < name.first and name.last <= mark[4].end_col
    end, marks) > 0
  end
end

--- Looks for names in rows, outside of code and links.
--- @param first number
--- @param last number inclusive
function M.look(first, last)
  for row = first, last do
    local line = buffer.lines(row, row + 1)[1]
    local found = names.all(line)
    local is_link = #found > 0 and links_of(row)
    for _, name in ipairs(#found > 0 and not code_block.fence(buffer.get(), row, first) and found or {}) do
      if not name.name:find('%s') and not is_link(name) and #waiting < most then
        local id = vim.api.nvim_buf_set_extmark(buffer.get(), namespace, row, name.first - 1, { end_col = name.last })
        table.insert(waiting, { mark = id, word = names.word(name.name, name.number) })
        if #waiting == 1 then
          vim.schedule(ask)
        end
      end
    end
  end
end

--- @return boolean whether a name at a position leads to code
function M.at(row, column)
  for _, each in ipairs(vim.api.nvim_buf_get_extmarks(buffer.get(), namespace, { row, 0 }, { row, column }, { details = true })) do
    if each[4].hl_group and column < each[4].end_col then
      return true
    end
  end
  return false
end

function M.clear()
  waiting = {}
  vim.api.nvim_buf_clear_namespace(buffer.get(), namespace, 0, -1)
end

return M
