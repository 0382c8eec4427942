--- The conversation that the chat shows: after a restart of Neovim the last one, until another is begun.

local chat = require('ploke.chat')
local client = require('ploke.client')
local requests = require('ploke.requests')
local say = require('ploke.say')
local turns = require('ploke.turns')

local M = {}

local waiting = {} -- root folder -> functions that wait until its last conversation is shown

--- Shows the last conversation of a server, as after a restart of Neovim.
local function show_last(server)
  local function done()
    local callbacks = waiting[server.root]
    waiting[server.root] = nil
    for _, callback in ipairs(callbacks) do
      callback(server)
    end
  end
  local function begin(err)
    turns.set_current(server, { pending = {} })
    done()
    if err then
      say.error(err.message)
    end
  end
  requests.chat_list(server, function(result)
    local last = result.conversations[1]
    if last then
      require('ploke.conversation').show(server, last.id, nil, done)
    else
      begin()
    end
  end, begin)
end

--- Calls back with a server once the chat shows a conversation of it.
local function when_shown(server, callback)
  require('ploke.chat_welcome').of(server)
  if turns.has_current(server) then
    callback(server)
  elseif waiting[server.root] then
    table.insert(waiting[server.root], callback)
  else
    waiting[server.root] = { callback }
    show_last(server)
  end
end

--- Calls back with the server once the chat shows a conversation of it, which is the last one unless another was
--- chosen or begun.
--- @param callback fun(server: table)
function M.with_shown(callback)
  client.with(function(server)
    when_shown(server, callback)
  end)
end

--- Lets what waits for a server that has ended wait for the next one.
function M.server_ended(server)
  require('ploke.chat_welcome').server_ended(server)
  for _, callback in ipairs(waiting[server.root] or {}) do
    table.insert(server.waiting, function(fresh)
      when_shown(fresh, callback)
    end)
  end
  waiting[server.root] = nil
end

--- Calls back with the current conversation, if there is one.
function M.with_current(callback)
  M.with_shown(function(server)
    local id = turns.conversation(server).id
    if id then
      callback(server, id)
    else
      say.info('no conversation yet')
    end
  end)
end

--- Opens the chat with the current conversation, and goes there.
function M.open_chat()
  vim.api.nvim_set_current_win(chat.open())
  M.with_shown(function() end)
end

--- Begins a new conversation in the chat, and goes there.
function M.new()
  client.with(function(server)
    turns.set_current(server, { pending = {} })
    chat.clear()
    vim.api.nvim_set_current_win(chat.open())
    require('ploke.chat_welcome').of(server)
  end)
end

--- Resumes the last answer of the current conversation, if it was interrupted, stopped, or ended at a limit.
function M.continue()
  M.with_current(function(server, id)
    requests.chat_history(server, { conversationId = id }, function(result)
      local last = result.messages[#result.messages]
      if not last or last.status == 'completed' and last.stopReason ~= 'limit' then
        say.info('the last answer is complete')
      elseif last.status == 'pending' then
        say.info('the last answer is still being written')
      else
        turns.ask({ text = 'Go on where you stopped.' })
      end
    end)
  end)
end

return M
