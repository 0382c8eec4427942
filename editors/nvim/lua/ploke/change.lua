--- Asks for a change of selected text. What is proposed is shown in place, as all that waits for a decision is.

local client = require('ploke.client')
local commands = require('ploke.protocol').commands
local editor_state = require('ploke.editor_state')
local requests = require('ploke.requests')
local say = require('ploke.say')

local M = {}

local namespace = vim.api.nvim_create_namespace('ploke.change')
local running = {} -- id of a turn -> { bufnr, mark }
local asking = 0 -- commands that the server has not answered yet
local over = {} -- id of a turn -> its result, of those that end while a command is not answered

local function say_why(result)
  if result.error then
    say.error('nothing is changed: ' .. result.error)
  elseif #(result.proposals or {}) == 0 then
    say.warn('no change was proposed; :Ploke shows the answer')
  end
end

local function unmark(change)
  if vim.api.nvim_buf_is_valid(change.bufnr) then
    vim.api.nvim_buf_del_extmark(change.bufnr, namespace, change.mark)
  end
end

local function follow(turn, change)
  running[turn] = change
  M.ended(turn, over[turn])
  asking = asking - 1
  over = asking > 0 and over or {}
end

--- Notes that a turn has ended.
--- @param turn string its id
--- @param result ploke.ChatSendResult|nil
function M.ended(turn, result)
  local change = running[turn]
  if not result then
    return
  elseif change then
    running[turn] = nil
    unmark(change)
    say_why(result)
  elseif asking > 0 then
    over[turn] = result
  end
end

local function show(bufnr, row)
  local mark = vim.api.nvim_buf_set_extmark(bufnr, namespace, row, 0, { virt_text = { { '  is being changed …', 'PlokeHint' } } })
  return { bufnr = bufnr, mark = mark }
end

local function send(bufnr, from, to, words)
  client.with(function(server)
    local encoding = client.encoding(server)
    local change = show(bufnr, from[1])
    local selected = {
      uri = vim.uri_from_bufnr(bufnr),
      range = { start = editor_state.position(bufnr, from[1], from[2], encoding), ['end'] = editor_state.position(bufnr, to[1], to[2], encoding) },
    }
    asking = asking + 1
    requests.command(server, { command = commands.refactor, arguments = { selected, words } }, function(started)
      follow(started.turnId, change)
    end, function(err)
      asking = asking - 1
      unmark(change)
      say.error(err.message)
    end)
  end)
end

--- Asks for a change of a range of the current buffer.
--- @param from number[] 0-based row and byte
--- @param to number[] the same, of the end; a byte behind the end of the line stands for its end
--- @param words string what to do; prompts for it if it is empty
local function ask(from, to, words)
  local bufnr = vim.api.nvim_get_current_buf()
  if not client.root_of(bufnr) then
    say.error('only the text of a file in a project can be changed')
  elseif words ~= '' then
    send(bufnr, from, to, words)
  else
    vim.ui.input({ prompt = 'Change: ' }, function(input)
      if input and vim.trim(input) ~= '' then
        send(bufnr, from, to, vim.trim(input))
      end
    end)
  end
end

--- Asks for a change of lines of the current buffer.
--- @param first number 1-based
--- @param last number 1-based and inclusive
--- @param words string what to do; prompts for it if it is empty
function M.lines(first, last, words)
  ask({ first - 1, 0 }, { last - 1, math.huge }, words)
end

--- Handles a motion or a selection after the operator.
--- @param kind 'char'|'line'|'block' as 'operatorfunc' gets it
function M.selected(kind)
  local from, to = vim.api.nvim_buf_get_mark(0, '['), vim.api.nvim_buf_get_mark(0, ']')
  if kind == 'char' then
    ask({ from[1] - 1, from[2] }, { to[1] - 1, to[2] + 1 }, '')
  else
    M.lines(from[1], to[1], '')
  end
end

--- Returns the keys of the operator.
function M.operator()
  vim.o.operatorfunc = "v:lua.require'ploke.change'.selected"
  return 'g@'
end

return M
