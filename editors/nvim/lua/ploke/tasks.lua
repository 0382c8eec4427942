--- What can be asked for at the cursor without a question: to explain a declaration, to write tests for it, to fix a problem.

local client = require('ploke.client')
local commands = require('ploke.protocol').commands
local editor_state = require('ploke.editor_state')
local requests = require('ploke.requests')
local say = require('ploke.say')

local M = {}

--- Starts a turn at the cursor. The chat shows it.
local function start(command, argument)
  local bufnr = vim.api.nvim_get_current_buf()
  local row, byte = unpack(vim.api.nvim_win_get_cursor(0))
  if not client.root_of(bufnr) then
    say.error('go to a file of the project first')
    return
  end
  client.with(function(server)
    local at = editor_state.position(bufnr, row - 1, byte, client.encoding(server))
    argument = vim.tbl_extend('force', { uri = vim.uri_from_bufnr(bufnr), range = { start = at, ['end'] = at } }, argument)
    requests.command(server, { command = command, arguments = { argument } }, function() end)
  end)
end

--- Explains the declaration under the cursor.
function M.explain()
  start(commands.explain, {})
end

--- Asks for tests of the declaration under the cursor.
function M.tests()
  start(commands.tests, {})
end

--- Asks for documentation of the declaration under the cursor.
function M.docs()
  start(commands.document, {})
end

--- Returns the gravest problem that another server reports in a line.
local function problem_in(row)
  local found
  for _, diagnostic in ipairs(vim.diagnostic.get(0, { lnum = row })) do
    local graver = not found or (diagnostic.severity or 1) < (found.severity or 1)
    found = diagnostic.source ~= 'ploke' and graver and diagnostic or found
  end
  return found
end

--- Asks for a fix of the problem in the line of the cursor.
--- @param words string what is wrong there; by default what a language server reports
function M.fix(words)
  local problem = problem_in(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if words ~= '' then
    start(commands.fix, { problem = words })
  elseif problem then
    local from = vim.trim(('%s %s'):format(problem.source or '', problem.code or ''))
    start(commands.fix, { problem = from == '' and problem.message or ('%s (%s)'):format(problem.message, from) })
  else
    say.info('no problem is reported in this line; say what is wrong: :Ploke fix {words}')
  end
end

return M
