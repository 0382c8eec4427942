--- The 'omnifunc' of the chat: completes @files, #symbols and /commands in the prompt.

local buffer = require('ploke.chat_buffer')
local client = require('ploke.client')
local mentions = require('ploke.chat_mentions')
local requests = require('ploke.requests')

local M = {}

local patience = 1000 -- how long Neovim waits for the server, in milliseconds
local found -- the last result

local waits = false -- whether Neovim waits for the server
local held = {} -- what waits until completions are over

local function completes()
  return waits or vim.api.nvim_get_current_buf() == buffer.get() and vim.fn.pumvisible() == 1
end

--- Runs what changes the transcript, once nothing is being completed in the chat: Neovim inserts a completion at the wrong
--- place, and puts the cursor there, if the lines above it change meanwhile. The order stays.
--- @param change function
function M.after(change)
  table.insert(held, change)
  while held[1] and not completes() do
    table.remove(held, 1)()
  end
end

local function release()
  vim.schedule(function()
    M.after(function() end)
  end)
end

--- Runs what waits when a menu is closed in a buffer.
function M.attach(bufnr)
  vim.api.nvim_create_autocmd({ 'CompleteDone', 'InsertLeave', 'BufLeave' }, {
    group = vim.api.nvim_create_augroup('ploke.chat_completion', {}), buffer = bufnr, callback = release,
  })
end

local function line_before_cursor()
  return vim.api.nvim_get_current_line():sub(1, vim.api.nvim_win_get_cursor(0)[2])
end

--- Returns the prompt's text before the cursor.
local function text_before_cursor()
  local lines = buffer.lines(buffer.border() + 1, vim.api.nvim_win_get_cursor(0)[1] - 1)
  table.insert(lines, line_before_cursor())
  return table.concat(lines, '\n')
end

--- Returns the byte offset at which the last `units` UTF-16 code units of a line begin.
local function start_of(line, units)
  local at = #line
  while units > 0 and at > 0 do
    local byte = line:byte(at)
    at = at - 1
    if byte < 0x80 or byte >= 0xC0 then
      units = units - (byte >= 0xF0 and 2 or 1)
    end
  end
  return at
end

local function request(text, callback)
  client.with(function(server)
    requests.chat_complete(server, { text = text }, function(result)
      for _, item in ipairs(result.items) do
        if item.attachment then
          mentions.remember(item.insert, item.attachment)
        end
      end
      local words, length = require('ploke.context_words').complete(text)
      if #words > 0 then
        result.items, result.replace = vim.list_extend(words, result.items), length
      end
      found = result
      callback()
    end)
  end)
end

local function words()
  return vim.tbl_map(function(item)
    return { word = item.insert, abbr = item.label, menu = item.detail, kind = item.kind, icase = 1, dup = 1 }
  end, found.items)
end

--- Shows completions that have come late, if the cursor is still behind the text that they complete.
local function show(text)
  local here = vim.api.nvim_get_current_buf() == buffer.get() and vim.api.nvim_get_mode().mode:find('^i')
  if here and #found.items > 0 and text_before_cursor() == text then
    vim.fn.complete(start_of(line_before_cursor(), found.replace) + 1, words())
  end
end

--- Asks the server, and waits for it. @return boolean whether it has answered in time
local function ask(text)
  local arrived, late = false, false
  request(text, function()
    arrived = true
    if late then
      show(text)
    end
  end)
  waits = true
  vim.wait(patience, function() return arrived end, 5)
  waits, late = false, true
  release()
  return arrived
end

--- See |complete-functions|.
function M.omnifunc(findstart)
  if findstart == 0 then
    return words()
  end
  local in_prompt = buffer.in_prompt(vim.api.nvim_win_get_cursor(0)[1] - 1)
  if not in_prompt or not ask(text_before_cursor()) or #found.items == 0 then
    return -2
  end
  return start_of(line_before_cursor(), found.replace)
end

return M
