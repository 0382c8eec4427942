--- The 'omnifunc' of the chat: completes @files, #symbols and /commands in the prompt.

local buffer = require('ploke.chat_buffer')
local client = require('ploke.client')
local mentions = require('ploke.chat_mentions')
local requests = require('ploke.requests')

local M = {}

local patience = 1000 -- how long a completion plugin waits for the server, in milliseconds
local found -- { text, result }: the last result, and the text before the cursor that it completes

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
      found = { text = text, result = result }
      callback()
    end)
  end)
end

local function words()
  return vim.tbl_map(function(item)
    return { word = item.insert, abbr = item.label, menu = item.detail, kind = item.kind, icase = 1, dup = 1 }
  end, found.result.items)
end

--- Shows the completions if the cursor is still behind the text that they complete. Neovim lets nobody change a text
--- while it waits for an 'omnifunc', so that an answer which streams in meanwhile would be lost.
local function show_later(text)
  request(text, function()
    local here = vim.api.nvim_get_current_buf() == buffer.get() and vim.api.nvim_get_mode().mode:find('^i')
    if here and text_before_cursor() == text and #found.result.items > 0 then
      vim.fn.complete(start_of(line_before_cursor(), found.result.replace) + 1, words())
    end
  end)
end

--- See |complete-functions|. Neovim itself gets the completions when they have arrived; a completion plugin, which
--- calls this as any function, waits for them.
function M.omnifunc(findstart)
  if findstart == 0 then
    return words()
  end
  if not buffer.in_prompt(vim.api.nvim_win_get_cursor(0)[1] - 1) then
    return -2
  end
  local text = text_before_cursor()
  if not (found and found.text == text) then
    if vim.fn.complete_info({ 'mode' }).mode == 'omni' then
      show_later(text)
      return -2
    end
    local arrived = false
    request(text, function() arrived = true end)
    if not vim.wait(patience, function() return arrived end, 5) then
      return -2
    end
  end
  if #found.result.items == 0 then
    return -2
  end
  return start_of(line_before_cursor(), found.result.replace)
end

return M
