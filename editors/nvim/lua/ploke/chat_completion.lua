--- The 'omnifunc' of the chat: completes @files, #symbols and /commands in the prompt.

local buffer = require('ploke.chat_buffer')
local client = require('ploke.client')
local mentions = require('ploke.chat_mentions')
local requests = require('ploke.requests')

local M = {}

local patience = 1000 -- how long a completion plugin waits for the server, in milliseconds
local found -- the last result

local held = {} -- what waits until the menu of completions is closed

local function menu_is_open()
  return vim.api.nvim_get_current_buf() == buffer.get() and vim.fn.pumvisible() == 1
end

--- Runs what changes the transcript, once no menu of completions is open in the chat: Neovim inserts a completion at the
--- wrong place if the lines above it change meanwhile. The order stays.
--- @param change function
function M.after(change)
  table.insert(held, change)
  while held[1] and not menu_is_open() do
    table.remove(held, 1)()
  end
end

--- Runs what waits when a menu is closed in a buffer.
function M.attach(bufnr)
  vim.api.nvim_create_autocmd({ 'CompleteDone', 'InsertLeave', 'BufLeave' }, {
    group = vim.api.nvim_create_augroup('ploke.chat_completion', {}), buffer = bufnr,
    callback = function()
      vim.schedule(function()
        M.after(function() end)
      end)
    end,
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

--- Puts the only completion behind `column` of the line.
local function insert(item, column)
  local row, last = vim.api.nvim_win_get_cursor(0)[1], #line_before_cursor()
  vim.api.nvim_buf_set_text(0, row - 1, column, row - 1, last, { item.insert })
  vim.api.nvim_win_set_cursor(0, { row, column + #item.insert })
end

--- Shows the completions if the cursor is still behind the text that they complete. Neovim lets nobody change a text
--- while it waits for an 'omnifunc', so that an answer which streams in meanwhile would be lost.
local function show_later(text)
  request(text, function()
    local items = found.items
    local here = vim.api.nvim_get_current_buf() == buffer.get() and vim.api.nvim_get_mode().mode:find('^i')
    if not here or #items == 0 or text_before_cursor() ~= text then
      return
    end
    local column = start_of(line_before_cursor(), found.replace)
    if #items == 1 then
      insert(items[1], column)
    else
      vim.fn.complete(column + 1, words())
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
  if vim.fn.complete_info({ 'mode' }).mode == 'omni' then
    show_later(text)
    return -2
  end
  local arrived = false
  request(text, function() arrived = true end)
  if not vim.wait(patience, function() return arrived end, 5) then
    return -2
  end
  if #found.items == 0 then
    return -2
  end
  return start_of(line_before_cursor(), found.replace)
end

return M
