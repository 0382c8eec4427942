--- Formats a citation {uri, range, canon}, and opens its place.

local config = require('ploke.config')

local M = {}

--- Returns the uri of the file itself if a place is in a proposed file.
local function file_uri(place)
  return place.proposal and place.uri:gsub('^ploke%-proposal:/*', 'file:///'):gsub('%?.*', '') or place.uri
end

--- @param place ploke.Citation
--- @return string e.g. 'lib/server.go:12-30 Server::Run', lines 1-based
function M.label(place)
  local first, last = place.range.start.line + 1, place.range['end'].line + 1
  local file = vim.fn.fnamemodify(vim.uri_to_fname(file_uri(place)), ':~:.')
  local lines = first == last and tostring(first) or ('%d-%d'):format(first, last)
  local where = place.cell and (', cell %d'):format(place.cell) or ':' .. lines
  return vim.trim(('%s%s %s'):format(file, where, place.proposal and '(proposed)' or place.canon or ''))
end

--- Returns the path of a file relative to its root folder.
local function path_in_root(file)
  local root = config.get().root(file)
  return root and vim.startswith(file, root .. '/') and file:sub(#root + 2) or file
end

--- @param attachment ploke.Attachment
--- @return string how a message mentions it, e.g. '@lib/server.go#L12-L30'
function M.mention(attachment)
  local path = path_in_root(vim.uri_to_fname(attachment.uri))
  local lines = ''
  if attachment.range then
    local first, last = attachment.range.start.line + 1, attachment.range['end'].line + 1
    lines = first == last and ('#L%d'):format(first) or ('#L%d-L%d'):format(first, last)
  end
  return '@' .. path .. lines
end

--- @param place ploke.Citation
--- @return string the target of a Markdown link to the place, as the server writes it
function M.target(place)
  return ('(%s#L%d)'):format(place.uri, place.range.start.line + 1)
end

--- Finds a window of this tab that shows a file, the previous window first.
local function file_window()
  local windows = vim.api.nvim_tabpage_list_wins(0)
  table.insert(windows, 1, vim.fn.win_getid(vim.fn.winnr('#')))
  for _, win in ipairs(windows) do
    if win ~= 0 and vim.api.nvim_buf_get_option(vim.api.nvim_win_get_buf(win), 'buftype') == '' then
      return win
    end
  end
end

--- Opens the place in a window that shows a file, or in a new one. Opens the proposal that has it as a
--- diff.
--- @param place ploke.Citation
--- @param encoding string of its positions
function M.open(place, encoding)
  if place.proposal then
    require('ploke.proposal').diff(place.proposal, file_uri(place))
    return
  end
  local win = file_window()
  if win then
    vim.api.nvim_set_current_win(win)
  else
    vim.cmd('topleft vsplit')
  end
  local item = vim.lsp.util.locations_to_items({ { uri = place.uri, range = place.range } }, encoding)[1]
  local bufnr = vim.uri_to_bufnr(place.uri)
  vim.cmd("normal! m'") -- so that CTRL-O comes back
  vim.api.nvim_buf_set_option(bufnr, 'buflisted', true)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_win_set_cursor(0, { item.lnum, item.col - 1 })
  vim.cmd('normal! zvzz')
end

return M
