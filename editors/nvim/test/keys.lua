-- The keys of the plugin: <Plug> mappings for all actions, and default keys that can be changed or turned off.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local check = t.check
local keys = require('ploke.keys')

local function setup(chosen)
  require('ploke').setup { cmd = { os.getenv('PLOKE_BINARY'), 'serve' }, keys = chosen }
end

--- Returns what a key is mapped to in a new buffer with the keys of a place, '' if to nothing.
local function mapped(place, mode, key)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_set_current_buf(bufnr)
  keys.attach(bufnr, place)
  return vim.fn.maparg(key, mode)
end

local function plugs()
  local names = {}
  for _, action in ipairs(keys.actions) do
    local modes = type(action.mode) == 'table' and action.mode or { action.mode }
    for _, mode in ipairs(modes) do
      local found = vim.fn.maparg(('<Plug>(ploke-%s)'):format(action.name), mode, false, true)
      check(('<Plug>(ploke-%s) is mapped in mode %s'):format(action.name, mode), found.desc == 'ploke: ' .. action.desc, vim.inspect(found))
    end
    check(action.name .. ' has one name', not names[action.name])
    names[action.name] = true
    check(action.name .. ' has keys only in a place', action.place ~= nil or #(action.keys or {}) == 0)
  end
end

local function defaults()
  setup()
  for _, action in ipairs(keys.actions) do
    local modes = type(action.mode) == 'table' and action.mode or { action.mode }
    for _, key in ipairs(action.keys or {}) do
      local plug = mapped(action.place, modes[1], key)
      check(('%s is %s'):format(key, action.name), plug == ('<Plug>(ploke-%s)'):format(action.name), plug)
    end
  end
end

local function changed()
  setup { ['chat-close'] = '<Esc>', ['chat-follow'] = { 'o', 'O' }, ['diff-accept'] = false }
  check('a key is changed', mapped('chat', 'n', '<Esc>') == '<Plug>(ploke-chat-close)')
  check('the default is free then', mapped('chat', 'n', 'q') == '')
  check('an action has several keys', mapped('chat', 'n', 'O') == '<Plug>(ploke-chat-follow)')
  check('a key is turned off', mapped('diff', 'n', 'dp') == '')
  check('the others stay', mapped('diff', 'n', 'do') == '<Plug>(ploke-diff-reject)')
  setup(false)
  check('all keys are turned off', mapped('chat', 'n', '<CR>') == '' and mapped('diff', 'n', 'dp') == '')
  local ok, err = pcall(setup, { ['chat-clsoe'] = 'x' })
  check('an unknown action is refused', not ok and err:find('no action "chat%-clsoe", known are: .*chat%-close'), err)
  ok, err = pcall(setup, { ['chat-close'] = 1 })
  check('and what is no key', not ok and err:find('keys%["chat%-close"%] must be a key, a list of keys, or false'), err)
  setup()
end

local function typed()
  vim.cmd('Ploke')
  local windows = #vim.api.nvim_list_wins()
  vim.api.nvim_feedkeys('q', 'xt', false)
  check('a typed key does its action', #vim.api.nvim_list_wins() == windows - 1, tostring(#vim.api.nvim_list_wins()))
end

--- Keys in a person's own file come and go, and leave the person's own mappings alone.
local function in_a_file()
  table.insert(keys.actions, { name = 'test', place = 'review', mode = 'n', keys = { '<C-y>', 'gy' }, run = function() end, desc = 'test' })
  local bufnr = vim.api.nvim_create_buf(true, false)
  vim.api.nvim_set_current_buf(bufnr)
  vim.keymap.set('n', '<c-Y>', 'mine', { buffer = bufnr })
  keys.attach(bufnr, 'review')
  check('a mapping of the buffer stays', vim.fn.maparg('<C-y>', 'n') == 'mine', vim.fn.maparg('<C-y>', 'n'))
  check('a free key is mapped', vim.fn.maparg('gy', 'n') == '<Plug>(ploke-test)')
  keys.detach(bufnr, 'review')
  check('it goes with the review', vim.fn.maparg('gy', 'n') == '' and vim.fn.maparg('<C-y>', 'n') == 'mine')
  table.remove(keys.actions)
end

--- In a file with hunks, no key of Neovim means anything else.
local function shadows_nothing()
  local known = {}
  for _, line in ipairs(vim.fn.readfile(vim.env.VIMRUNTIME .. '/doc/tags')) do
    known[line:match('^[^\t]*')] = true
  end
  check('the help of Neovim knows its own keys', known[']c'] and known['gU'])
  for _, action in ipairs(keys.actions) do
    for _, key in ipairs(action.place == 'review' and action.keys or {}) do
      check(key .. ' is no key of Neovim', not known[key] and vim.fn.maparg(key, 'n') == '')
    end
  end
end

t.run { shadows_nothing, plugs, defaults, changed, typed, in_a_file }
