--- Answers the server's requests to the editor: diagnostics, and the cursor, visible and recently edited
--- files. Both are answered at once from Neovim's own state.

local M = {}

local recent_limit = 10

local recent = {} -- edited buffers, the last edited one first
local last -- the last focused window with a file

local function is_file(bufnr)
  return vim.api.nvim_buf_is_loaded(bufnr) and vim.api.nvim_buf_get_option(bufnr, 'buftype') == ''
    and vim.api.nvim_buf_get_name(bufnr) ~= ''
end

local function uris(buffers)
  local found, seen = {}, {}
  for _, bufnr in ipairs(buffers) do
    if not seen[bufnr] and is_file(bufnr) then
      seen[bufnr] = true
      table.insert(found, vim.uri_from_bufnr(bufnr))
    end
  end
  return found
end

--- Converts a byte offset in a line to a character offset in a position encoding of LSP.
local function character(line, byte, encoding)
  local before = line:sub(1, byte)
  if encoding == 'utf-8' then
    return #before
  end
  local points = select(2, before:gsub('[^\128-\191]', ''))
  local surrogates = encoding == 'utf-16' and select(2, before:gsub('[\240-\247]', '')) or 0
  return points + surrogates
end

--- Returns the position of a 0-based row and byte; a byte behind the end of the line stands for its end.
function M.position(bufnr, row, byte, encoding)
  local line = vim.api.nvim_buf_get_lines(bufnr, row, row + 1, false)[1] or ''
  return { line = row, character = character(line, byte, encoding) }
end

local function diagnostic(bufnr, found, encoding)
  return {
    range = {
      start = M.position(bufnr, found.lnum, found.col, encoding),
      ['end'] = M.position(bufnr, found.end_lnum or found.lnum, found.end_col or found.col, encoding),
    },
    severity = found.severity,
    code = found.code,
    source = found.source,
    message = found.message,
  }
end

--- Answers ploke/client/diagnostics, for one document or for all loaded ones.
--- @param params ploke.ClientDiagnosticsParams
--- @param encoding string of the positions
function M.diagnostics(params, encoding)
  local documents = {}
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if is_file(bufnr) and (not params.uri or vim.uri_from_bufnr(bufnr) == params.uri) then
      local found = vim.tbl_map(function(item)
        return diagnostic(bufnr, item, encoding)
      end, vim.diagnostic.get(bufnr))
      if #found > 0 then
        table.insert(documents, { uri = vim.uri_from_bufnr(bufnr), diagnostics = found })
      end
    end
  end
  return { documents = documents }
end

--- Returns the selection if `win` is current and in Visual mode, else its cursor as an empty range.
local function selection(win, encoding)
  local bufnr = vim.api.nvim_win_get_buf(win)
  local row, byte = unpack(vim.api.nvim_win_get_cursor(win))
  local from, to = { row - 1, byte }, { row - 1, byte }
  if win == vim.api.nvim_get_current_win() and vim.fn.mode():find('^[vV\22]') then
    local other = vim.fn.getpos('v')
    from, to = { other[2] - 1, other[3] - 1 }, from
    if from[1] > to[1] or from[1] == to[1] and from[2] > to[2] then
      from, to = to, from
    end
  end
  return {
    uri = vim.uri_from_bufnr(bufnr),
    range = { start = M.position(bufnr, from[1], from[2], encoding), ['end'] = M.position(bufnr, to[1], to[2], encoding) },
  }
end

--- Answers ploke/client/state.
--- @param encoding string of the positions
function M.state(encoding)
  local shown = last and vim.api.nvim_win_is_valid(last) and is_file(vim.api.nvim_win_get_buf(last))
  local visible = vim.tbl_map(vim.api.nvim_win_get_buf, vim.api.nvim_tabpage_list_wins(0))
  return { selection = shown and selection(last, encoding) or nil, visible = uris(visible), recent = uris(recent) }
end

local function edited(bufnr)
  recent = vim.tbl_filter(function(other)
    return other ~= bufnr and vim.api.nvim_buf_is_valid(other)
  end, recent)
  table.insert(recent, 1, bufnr)
  recent[recent_limit + 1] = nil
end

--- Starts to record the focused window and the edited buffers.
function M.watch()
  local group = vim.api.nvim_create_augroup('ploke.editor_state', {})
  local function focused()
    if is_file(vim.api.nvim_get_current_buf()) then
      last = vim.api.nvim_get_current_win()
    end
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'WinEnter' }, { group = group, callback = focused })
  vim.api.nvim_create_autocmd({ 'TextChanged', 'TextChangedI' }, {
    group = group,
    callback = function(event)
      if is_file(event.buf) then
        edited(event.buf)
      end
    end,
  })
  focused()
end

return M
