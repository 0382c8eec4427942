--- What a running tool call prints, such as the output of a command: its last line for the chat, and all in a window of its own,
--- in which it goes on. Once the call is over, the server has its result.

local config = require('ploke.config')

local M = {}

local kept = 64 * 1024 -- bytes, the last ones
local line_bytes = 1000 -- what is looked at for the last line

local Output = {}
Output.__index = Output

--- @param tool string its name
function M.new(tool)
  return setmetatable({ tool = tool, text = '' }, Output)
end

--- Appends a text to the window, in which a cursor in the last line stays there.
local function show_more(bufnr, text)
  local last = vim.api.nvim_buf_line_count(bufnr)
  local column = #vim.api.nvim_buf_get_lines(bufnr, last - 1, last, false)[1]
  local following = vim.tbl_filter(function(win)
    return vim.api.nvim_win_get_cursor(win)[1] == last
  end, vim.fn.win_findbuf(bufnr))
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', true)
  vim.api.nvim_buf_set_text(bufnr, last - 1, column, last - 1, column, vim.split(text, '\n', { plain = true }))
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', false)
  for _, win in ipairs(following) do
    vim.api.nvim_win_set_cursor(win, { vim.api.nvim_buf_line_count(bufnr), 0 })
  end
end

--- @param text string what the call has printed since
function Output:append(text)
  self.text = self.text .. text
  if #self.text > kept then
    self.text = self.text:sub(-kept):gsub('^[^\n]*\n', '')
  end
  if self.bufnr and vim.api.nvim_buf_is_valid(self.bufnr) then
    show_more(self.bufnr, text)
  end
end

--- @return string the last line with a text, '' if there is none yet
function Output:last_line()
  return vim.trim(self.text:sub(-line_bytes)):match('[^\n]*$')
end

--- Opens what was printed.
function Output:open()
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, { '# ' .. self.tool, '', 'It runs, and prints:', '', '' })
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', false)
  vim.api.nvim_buf_set_option(bufnr, 'bufhidden', 'wipe')
  vim.cmd(config.get().split)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_win_set_cursor(0, { vim.api.nvim_buf_line_count(bufnr), 0 })
  show_more(bufnr, self.text)
  self.bufnr = bufnr
  require('ploke.keys').attach(bufnr, 'tool')
end

return M
