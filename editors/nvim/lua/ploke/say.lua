--- Messages to the user. Where Neovim itself shows them, each one is cut to what fits on the command line, so that
--- Neovim never asks to press ENTER; `:Ploke messages` has the whole text. A plugin that has replaced
--- vim.notify gets the whole text, too.

local M = {}

local kept = 200 -- messages

local said = {} -- the messages of this session with their times, the oldest first

local highlights = {
  [vim.log.levels.WARN] = 'WarningMsg',
  [vim.log.levels.ERROR] = 'ErrorMsg',
}

--- Returns whether vim.notify is Neovim's own, whose source is compiled in.
local function is_builtin(notify)
  local source = debug.getinfo(notify, 'S').source
  return source == '?' or source == '=?' or source:find('^@vim/') ~= nil
end

--- Returns the beginning of a text that fits in `width` columns of the screen, on one line.
function M.fit(text, width)
  text = text:gsub('%s*\n%s*', '; ')
  if vim.fn.strdisplaywidth(text) <= width then
    return text
  end
  local low, high = 0, vim.fn.strchars(text) -- characters that fit, and that do not
  while high - low > 1 do
    local middle = math.floor((low + high) / 2)
    if vim.fn.strdisplaywidth(vim.fn.strcharpart(text, 0, middle)) < width then
      low = middle
    else
      high = middle
    end
  end
  return vim.fn.strcharpart(text, 0, low) .. '…'
end

--- Shows a text on the command line, as soon as the person does not type there.
local function echo(text, level)
  if vim.fn.mode():find('^[cr!]') then
    vim.api.nvim_create_autocmd('ModeChanged', {
      once = true,
      callback = vim.schedule_wrap(function() echo(text, level) end),
    })
    return
  end
  vim.cmd('redraw') -- so that the text replaces the message before it
  vim.api.nvim_echo({ { M.fit(text, vim.v.echospace), highlights[level] } }, true, {})
end

local replaced -- the vim.notify that `drop` has replaced, while it has
local awaited = 0 -- messages to drop

--- Drops the next message of Neovim's that matches a pattern, where it has no option for that.
--- @param pattern string
function M.drop(pattern)
  awaited = awaited + 1
  if replaced then
    return
  end
  local function filter(message, ...)
    if not message:find(pattern) then
      return replaced(message, ...)
    end
    awaited = awaited - 1
    if awaited == 0 and vim.notify == filter then
      vim.notify, replaced = replaced, nil
    end
  end
  replaced, vim.notify = vim.notify, filter
end

local function say(text, level)
  text = 'ploke: ' .. text
  table.insert(said, { text = text, at = os.time() })
  if #said > kept then
    table.remove(said, 1)
  end
  if is_builtin(replaced or vim.notify) then
    echo(text, level)
  else
    vim.notify(text, level)
  end
end

--- @param text string
function M.info(text)
  say(text, vim.log.levels.INFO)
end

--- @param text string
function M.warn(text)
  say(text, vim.log.levels.WARN)
end

--- @param text string
function M.error(text)
  say(text, vim.log.levels.ERROR)
end

--- Opens the messages of this session in a split, the newest one last.
function M.open()
  local lines = {}
  for _, message in ipairs(said) do
    local text = vim.split(message.text, '\n', { plain = true })
    text[1] = os.date('%H:%M:%S ', message.at) .. text[1]
    vim.list_extend(lines, text)
  end
  vim.cmd('botright new')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, #lines > 0 and lines or { 'No messages yet.' })
  for name, value in pairs({ buftype = 'nofile', bufhidden = 'wipe', swapfile = false, modifiable = false }) do
    vim.api.nvim_buf_set_option(0, name, value)
  end
  vim.api.nvim_win_set_height(0, math.min(#lines, 12))
  vim.cmd('normal! Gzb')
end

return M
