--- A buffer with the proposed text of a file, which can be edited before the proposal is accepted.
--- Writing the buffer sends its text to the server.

local requests = require('ploke.requests')

local M = {}

local function text_of(bufnr)
  local dos = vim.api.nvim_buf_get_option(bufnr, 'fileformat') == 'dos'
  local ending = dos and '\r\n' or '\n'
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), ending)
  return vim.api.nvim_buf_get_option(bufnr, 'endofline') and text .. ending or text
end

local function fill(bufnr, text)
  local lines = vim.split((text:gsub('\n$', '')), '\n', { plain = true })
  local dos = text:find('\r\n', 1, true) and not text:find('[^\r]\n') and not text:find('^\n')
  if dos then
    lines = vim.tbl_map(function(line)
      return (line:gsub('\r$', ''))
    end, lines)
  end
  vim.api.nvim_buf_set_option(bufnr, 'fileformat', dos and 'dos' or 'unix')
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.api.nvim_buf_set_option(bufnr, 'endofline', vim.endswith(text, '\n'))
  vim.api.nvim_buf_set_option(bufnr, 'modified', false)
end

local function write(bufnr, server, id, view, written)
  requests.proposal_edit(server, { id = id, file = view.uri, after = text_of(bufnr) }, function(result)
    if vim.api.nvim_buf_is_valid(bufnr) then
      vim.api.nvim_buf_set_option(bufnr, 'modified', false)
    end
    written(result)
  end)
end

--- Finds unsaved edits of a proposal.
--- @return string|nil the name of a modified buffer of the proposal
function M.unwritten(id)
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local name = vim.api.nvim_buf_get_name(bufnr)
    if vim.startswith(name, ('ploke://edit/%s/'):format(id)) and vim.api.nvim_buf_get_option(bufnr, 'modified') then
      return name
    end
  end
end

--- Opens the proposed text of a file in a tab. Writing it changes the proposal; the file changes
--- when the proposal is accepted.
--- @param view ploke.ProposalView
--- @param written fun(result: { status: string }) called each time the server has stored the text
function M.open(server, id, view, written)
  local path = view.newPath or view.path
  local name = ('ploke://edit/%s/%s'):format(id, path)
  local bufnr = vim.fn.bufnr('^' .. vim.fn.escape(name, '*?[]{}\\,') .. '$')
  if bufnr < 0 then
    bufnr = vim.api.nvim_create_buf(true, false)
    vim.api.nvim_buf_set_name(bufnr, name)
    vim.api.nvim_buf_set_option(bufnr, 'buftype', 'acwrite')
    vim.api.nvim_buf_set_option(bufnr, 'swapfile', false)
    vim.api.nvim_create_autocmd('BufWriteCmd', {
      buffer = bufnr,
      callback = function()
        write(bufnr, server, id, view, written)
      end,
    })
    fill(bufnr, view.after)
  end
  vim.cmd('tabnew')
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.cmd('filetype detect')
end

return M
