--- The keys of the plugin. Each action is a mapping <Plug>(ploke-NAME), which plugin/ploke.lua defines. The default keys
--- of an action belong to the buffers of one place, such as the chat; the setting `keys` changes them or turns them off.

local config = require('ploke.config')

local M = {}

--- @class ploke.Action
--- @field name string of the <Plug> mapping and in the setting `keys`
--- @field place string|nil the kind of buffer that has the default keys; nil for an action without keys
--- @field mode string|string[] the modes of the mapping
--- @field keys string[]|nil the default keys
--- @field expr boolean|nil whether `run` returns the keys to type, as an operator does
--- @field run function
--- @field desc string

--- @type ploke.Action[]
M.actions = {
  {
    name = 'chat-enter', place = 'chat', mode = 'n', keys = { '<CR>' }, desc = 'send the message, or open the cited place',
    run = function() require('ploke.chat').enter() end,
  },
  {
    name = 'chat-send', place = 'chat', mode = { 'n', 'i' }, keys = { '<C-s>' }, desc = 'send the message',
    run = function() require('ploke.chat_prompt').send() end,
  },
  {
    name = 'chat-follow', place = 'chat', mode = 'n', keys = { 'gd', 'gf' }, desc = 'open the cited place',
    run = function() require('ploke.chat_places').follow() end,
  },
  {
    name = 'chat-next', place = 'chat', mode = { 'n', 'x' }, keys = { ']]' }, desc = 'go to the next question',
    run = function() require('ploke.chat').go(vim.v.count1) end,
  },
  {
    name = 'chat-previous', place = 'chat', mode = { 'n', 'x' }, keys = { '[[' }, desc = 'go to the question before',
    run = function() require('ploke.chat').go(-vim.v.count1) end,
  },
  {
    name = 'chat-yank', place = 'chat', mode = 'n', keys = { 'gy' }, desc = 'yank the code block',
    run = function() require('ploke.chat').yank() end,
  },
  {
    name = 'chat-undo', place = 'chat', mode = 'n', keys = { 'u' }, desc = 'undo a change of the prompt',
    run = function() require('ploke.chat_undo').undo() end,
  },
  {
    name = 'chat-redo', place = 'chat', mode = 'n', keys = { '<C-r>' }, desc = 'redo a change of the prompt',
    run = function() require('ploke.chat_undo').redo() end,
  },
  {
    name = 'chat-insert', place = 'chat', mode = 'n', keys = { 'i' }, expr = true, desc = 'write in the prompt',
    run = function() return require('ploke.chat_prompt').insert('i') end,
  },
  {
    name = 'chat-append', place = 'chat', mode = 'n', keys = { 'a' }, expr = true, desc = 'write in the prompt',
    run = function() return require('ploke.chat_prompt').insert('a') end,
  },
  {
    name = 'chat-open', place = 'chat', mode = 'n', keys = { 'o' }, expr = true, desc = 'write a new line in the prompt',
    run = function() return require('ploke.chat_prompt').insert('o') end,
  },
  {
    name = 'chat-put', place = 'chat', mode = 'n', keys = { 'gp' }, desc = 'put the code block below the cursor of the file',
    run = function() require('ploke.chat').put() end,
  },
  {
    name = 'chat-help', place = 'chat', mode = 'n', keys = { 'g?' }, desc = 'show the keys of the chat',
    run = function() require('ploke.key_help').open('chat') end,
  },
  {
    name = 'chat-close', place = 'chat', mode = 'n', keys = { 'q' }, desc = 'close the chat',
    run = function() vim.cmd('close') end,
  },
  {
    name = 'tool-close', place = 'tool', mode = 'n', keys = { 'q' }, desc = 'close what is shown',
    run = function() vim.cmd('close') end,
  },
  {
    name = 'review-next', place = 'review', mode = 'n', keys = { ']k' }, desc = 'go to the next hunk',
    run = function() require('ploke.review_view').step(vim.v.count1) end,
  },
  {
    name = 'review-previous', place = 'review', mode = 'n', keys = { '[k' }, desc = 'go to the previous hunk',
    run = function() require('ploke.review_view').step(-vim.v.count1) end,
  },
  {
    name = 'accept-hunk', place = 'review', mode = 'n', keys = { 'gza' }, desc = 'accept the hunk under the cursor',
    run = function() require('ploke.review_decide').decide('accept', 'hunk') end,
  },
  {
    name = 'accept-file', place = 'review', mode = 'n', keys = { 'gzA' }, desc = 'accept the hunks of this file',
    run = function() require('ploke.review_decide').decide('accept', 'file') end,
  },
  {
    name = 'accept-all', place = 'review', mode = 'n', keys = { 'gzga' }, desc = 'accept all hunks',
    run = function() require('ploke.review_decide').decide('accept', 'all') end,
  },
  {
    name = 'reject-hunk', place = 'review', mode = 'n', keys = { 'gzr' }, desc = 'reject the hunk under the cursor',
    run = function() require('ploke.review_decide').decide('reject', 'hunk') end,
  },
  {
    name = 'reject-file', place = 'review', mode = 'n', keys = { 'gzR' }, desc = 'reject the hunks of this file',
    run = function() require('ploke.review_decide').decide('reject', 'file') end,
  },
  {
    name = 'reject-all', place = 'review', mode = 'n', keys = { 'gzgr' }, desc = 'reject all hunks',
    run = function() require('ploke.review_decide').decide('reject', 'all') end,
  },
  {
    name = 'edit-hunk', place = 'review', mode = 'n', keys = { 'gze' }, desc = 'edit the proposed text of the hunk under the cursor',
    run = function() require('ploke.proposal').edit() end,
  },
  {
    name = 'undo', place = 'review', mode = 'n', keys = { 'gzu' }, desc = 'undo what was accepted last',
    run = function() require('ploke.proposal').undo() end,
  },
  {
    name = 'diff', place = 'review', mode = 'n', keys = { 'gzd' }, desc = 'open or close the diff of this file',
    run = function() require('ploke.proposal').toggle_diff() end,
  },
  {
    name = 'review-list', place = 'review', mode = 'n', keys = { 'gzq' }, desc = 'list all hunks in the quickfix window',
    run = function() require('ploke.review_list').open() end,
  },
  {
    name = 'review-help', place = 'review', mode = 'n', keys = { 'gz?' }, desc = 'show the keys of the review',
    run = function() require('ploke.key_help').open('review') end,
  },
  {
    name = 'diff-accept', place = 'diff', mode = 'n', keys = { 'dp' }, desc = 'accept the hunk under the cursor',
    run = function() require('ploke.review_decide').decide('accept', 'hunk') end,
  },
  {
    name = 'diff-reject', place = 'diff', mode = 'n', keys = { 'do' }, desc = 'reject the hunk under the cursor',
    run = function() require('ploke.review_decide').decide('reject', 'hunk') end,
  },
  {
    name = 'diff-obtain', place = 'diff-file', mode = 'n', keys = { 'do' }, desc = 'accept the hunk under the cursor',
    run = function() require('ploke.review_decide').decide('accept', 'hunk') end,
  },
  {
    name = 'diff-put', place = 'diff-file', mode = 'n', keys = { 'dp' }, desc = 'reject the hunk under the cursor',
    run = function() require('ploke.review_decide').decide('reject', 'hunk') end,
  },
  {
    name = 'change', mode = { 'n', 'x' }, expr = true, desc = 'ask for a change of a motion or of the selection',
    run = function() return require('ploke.change').operator() end,
  },
}

-- The places in a person's own files, where a mapping of the buffer that is there already stays.
local in_files = { review = true, ['diff-file'] = true }

local set = {} -- buffer -> place -> the { mode, key } that `attach` has mapped

local function plug(action)
  return ('<Plug>(ploke-%s)'):format(action.name)
end

local function modes(action)
  return type(action.mode) == 'table' and action.mode or { action.mode }
end

--- Defines the <Plug> mappings.
function M.define()
  for _, action in ipairs(M.actions) do
    vim.keymap.set(action.mode, plug(action), action.run, { expr = action.expr, desc = 'ploke: ' .. action.desc })
  end
end

--- @param action ploke.Action
--- @return string[] the keys of an action with the user's settings
function M.of(action)
  local chosen = config.get().keys
  local keys = chosen and chosen[action.name]
  if chosen == false or keys == false then
    return {}
  end
  return keys == nil and action.keys or type(keys) == 'table' and keys or { keys }
end

--- @param place string
--- @return { keys: string[], desc: string }[] the actions of a place that have keys
function M.list(place)
  local listed = {}
  for _, action in ipairs(M.actions) do
    if action.place == place and #M.of(action) > 0 then
      table.insert(listed, { keys = M.of(action), desc = action.desc })
    end
  end
  return listed
end

--- @param name string of an action
--- @return string|nil its first key
function M.first(name)
  for _, action in ipairs(M.actions) do
    if action.name == name then
      return M.of(action)[1]
    end
  end
end

local function mapped(bufnr, mode, key)
  local wanted = vim.api.nvim_replace_termcodes(key, true, true, true)
  for _, mapping in ipairs(vim.api.nvim_buf_get_keymap(bufnr, mode)) do
    if vim.api.nvim_replace_termcodes(mapping.lhs, true, true, true) == wanted then
      return true
    end
  end
  return false
end

--- Maps the keys of a place in a buffer.
--- @param bufnr number
--- @param place string
function M.attach(bufnr, place)
  M.detach(bufnr, place)
  local mine = {}
  for _, action in ipairs(M.actions) do
    for _, key in ipairs(action.place == place and M.of(action) or {}) do
      for _, mode in ipairs(modes(action)) do
        if not (in_files[place] and mapped(bufnr, mode, key)) then
          vim.keymap.set(mode, key, plug(action), { buffer = bufnr, remap = true, nowait = true, desc = 'ploke: ' .. action.desc })
          table.insert(mine, { mode, key })
        end
      end
    end
  end
  set[bufnr] = set[bufnr] or {}
  set[bufnr][place] = mine
end

--- Removes the keys that `attach` has mapped.
function M.detach(bufnr, place)
  for _, entry in ipairs((set[bufnr] or {})[place] or {}) do
    pcall(vim.keymap.del, entry[1], entry[2], { buffer = bufnr }) -- the user may have removed it
  end
  if set[bufnr] then
    set[bufnr][place] = nil
  end
end

--- Checks the setting `keys`.
--- @return string|nil what is wrong
function M.mistake(keys)
  local names = vim.tbl_map(function(action) return action.name end, M.actions)
  for name, value in pairs(keys or {}) do
    if not vim.tbl_contains(names, name) then
      return ('keys has no action %q, known are: %s'):format(name, table.concat(names, ', '))
    end
    if value ~= false and type(value) ~= 'string' and type(value) ~= 'table' then
      return ('keys[%q] must be a key, a list of keys, or false'):format(name)
    end
  end
end

return M
