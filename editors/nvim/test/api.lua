-- The Lua interface and the events, as a plugin that builds on this one uses them.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/held_model.lua')
local check, eventually = t.check, t.eventually
local ploke = require('ploke')

local fired = {} -- { name, data }
vim.api.nvim_create_autocmd('User', {
  pattern = 'Ploke*',
  callback = function(event)
    table.insert(fired, { name = event.match, data = event.data or vim.g.ploke_event })
  end,
})

--- Waits for an event, and returns its data.
local function event(name)
  local data
  eventually(name .. ' fires', function()
    for _, found in ipairs(fired) do
      data = data or found.name == name and found.data
    end
    return data
  end, function() return vim.inspect(fired) end)
  return data or {}
end

local function asking()
  vim.cmd('edit main.go')
  local root = vim.fn.getcwd()
  ploke.ask('who are you', { { uri = vim.uri_from_bufnr(0), range = { start = { line = 8, character = 0 }, ['end'] = { line = 10, character = 0 } } } })
  check('PlokeServerReady has the folder', event('PlokeServerReady').root == root)
  check('PlokeTurnStart has the question', event('PlokeTurnStart').question == 'who are you')
  eventually('the model gets it', function() return #model.asked == 1 end)
  check('PlokeStatus has the status line', event('PlokeStatus').text)
  model.go_on()
  local ended = event('PlokeTurnEnd')
  check('PlokeTurnEnd says how', ended.stop_reason == 'done' and ended.question == 'who are you' and ended.root == root, vim.inspect(ended))
  check('and which turn it was', ended.turn_id and ended.conversation_id, vim.inspect(ended))
end

local function stopping()
  fired = {}
  ploke.ask('stop this')
  eventually('a second question is asked', function() return #model.asked == 2 end)
  ploke.stop()
  check('a stopped turn ends as cancelled', event('PlokeTurnEnd').stop_reason == 'cancelled')
end

local function requesting()
  local found
  ploke.request('ploke/chat/list', {}, function(err, result)
    found = err or result
  end)
  eventually('a request is answered', function() return found and #found.conversations == 1 end, function() return vim.inspect(found) end)
  found = nil
  ploke.request('ploke/proposal/get', { id = 'none' }, function(err) found = err end)
  eventually('or refused', function() return found and found.message end)
end

local function showing()
  vim.cmd('only')
  ploke.open()
  check('open goes to the chat', vim.api.nvim_get_current_buf() == t.chat())
  vim.cmd('wincmd p')
  ploke.new()
  eventually('new shows an empty one', function()
    return vim.api.nvim_get_current_buf() == t.chat() and not t.chat_text():find('who are you')
  end, t.chat_text)
end

local function permission()
  local ask = require('ploke.client_options').get().handlers['ploke/permission/ask']
  ask(nil, { id = '1', title = 'run the check hello' }, {})
  check('PlokePermission has the title', event('PlokePermission').title == 'run the check hello')
end

local function names()
  for _, found in ipairs(fired) do
    check(found.name .. ' is declared', vim.tbl_contains(require('ploke.events').names, found.name))
  end
end

model.setup()
t.run { asking, stopping, requesting, showing, permission, names }
