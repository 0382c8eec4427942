--- Proposed files in diff mode, each in a tab of its own: the file on the left, the proposed text on the right. A file in conflict
--- has a third window with the text as it was proposed.

local keys = require('ploke.keys')
local place = require('ploke.review_place')
local proposal_buffer = require('ploke.proposal_buffer')
local requests = require('ploke.requests')
local review = require('ploke.review')
local view = require('ploke.review_view')

local M = {}

local asked = 0 -- how often a diff was asked for; only the last one is shown
local diffs = {} -- tab page -> { id, uri, file, proposed }, the buffers on the left and on the right

--- Forgets a diff whose window on one of its sides is gone.
local function forget(tab, diff)
  diffs[tab] = nil
  keys.detach(diff.file, 'diff-file')
  view.hide(diff.file, false)
end

local function tidy()
  for tab, diff in pairs(diffs) do
    local seen = {}
    for _, win in ipairs(vim.api.nvim_tabpage_is_valid(tab) and vim.api.nvim_tabpage_list_wins(tab) or {}) do
      seen[vim.api.nvim_win_get_buf(win)] = true
    end
    if not (seen[diff.file] and seen[diff.proposed]) then
      forget(tab, diff)
    end
  end
end

vim.api.nvim_create_autocmd({ 'WinClosed', 'BufWinLeave' }, {
  group = vim.api.nvim_create_augroup('ploke.diff', {}),
  callback = function() vim.schedule(tidy) end,
})

local function show_buffer(bufnr, split)
  if split then
    vim.cmd(split)
  end
  vim.api.nvim_win_set_buf(0, bufnr)
  if vim.bo.filetype == '' then
    vim.cmd('filetype detect')
  end
  vim.cmd('diffthis')
  return vim.api.nvim_get_current_win()
end

--- Shows buffers side by side in diff mode, in a tab of its own or in that of the diff before.
--- @return number[] their windows
local function arrange(buffers)
  local tab = vim.api.nvim_get_current_tabpage()
  if diffs[tab] then
    forget(tab, diffs[tab])
    vim.cmd('diffoff! | only')
  else
    vim.cmd('tab split')
  end
  local windows = {}
  for i, bufnr in ipairs(buffers) do
    table.insert(windows, show_buffer(bufnr, i > 1 and 'rightbelow vsplit'))
  end
  vim.cmd('wincmd =')
  return windows
end

--- Returns the buffer of a file as it is now; if there is no such file, an empty one to read.
local function file_buffer(file, texts)
  local path = vim.uri_to_fname(file.uri)
  if vim.fn.filereadable(path) == 0 and vim.fn.bufloaded(path) == 0 then
    return proposal_buffer.scratch('now', file.path, texts.theirs)
  end
  return place.buffer_of(file.uri)
end

local function go_to(waiting)
  local bufnr = vim.api.nvim_get_current_buf()
  local row = place.row(bufnr, waiting.hunk.id) or waiting.hunk.range.start.line -- of a file that was just loaded
  vim.api.nvim_win_set_cursor(0, { math.min(row + 1, vim.api.nvim_buf_line_count(bufnr)), 0 })
  vim.cmd('normal! zvzz')
  vim.cmd('syncbind')
end

local function open(waiting, texts, edits)
  local file, proposed = file_buffer(waiting.file, texts), proposal_buffer.open(waiting, texts)
  local buffers = { file, proposed }
  if waiting.hunk.conflict then
    table.insert(buffers, proposal_buffer.scratch('as it was proposed', waiting.file.newPath or waiting.file.path, texts.ours))
  end
  local windows = arrange(buffers)
  diffs[vim.api.nvim_get_current_tabpage()] = { id = waiting.proposal.id, uri = waiting.file.uri, file = file, proposed = proposed }
  view.hide(file, true)
  keys.attach(file, 'diff-file')
  keys.attach(proposed, 'diff')
  keys.attach(proposed, 'review')
  vim.api.nvim_set_current_win(windows[(edits or waiting.file.op == 'create') and 2 or 1])
  go_to(waiting)
end

--- Shows the file of a hunk that waits as a diff, with the cursor in the hunk.
--- @param waiting ploke.Waiting
--- @param edits boolean|nil whether the cursor is to be in the proposed text, as it stays if it is there, not in the file
function M.open(waiting, edits)
  review.visit(waiting)
  asked = asked + 1
  local this, diff = asked, diffs[vim.api.nvim_get_current_tabpage()]
  edits = edits or diff and vim.api.nvim_get_current_buf() == diff.proposed
  if diff and diff.id == waiting.proposal.id and diff.uri == waiting.file.uri then
    if edits then
      vim.api.nvim_set_current_win(vim.fn.bufwinid(diff.proposed))
    end
    go_to(waiting)
    return
  end
  requests.review_merge(waiting.server, { id = waiting.proposal.id, uri = waiting.file.uri }, function(texts)
    if this == asked then
      open(waiting, texts, edits)
    end
  end)
end

--- Shows a file of a proposal that was decided on, before and after.
--- @param viewed ploke.ProposalView
function M.compare(viewed)
  local windows = arrange({
    proposal_buffer.scratch('before', viewed.path, viewed.before),
    proposal_buffer.scratch('after', viewed.newPath or viewed.path, viewed.after),
  })
  vim.api.nvim_set_current_win(windows[2])
  vim.cmd('normal! gg')
  vim.cmd('silent! normal! ]c')
end

--- @return boolean whether the current tab shows a diff
function M.is_open()
  return diffs[vim.api.nvim_get_current_tabpage()] ~= nil
end

local function close(tab)
  if #vim.api.nvim_list_tabpages() > 1 then
    vim.cmd('tabclose ' .. vim.api.nvim_tabpage_get_number(tab))
  else
    vim.cmd('diffoff! | only')
  end
  tidy()
end

--- Closes the diff of the current tab.
function M.close()
  close(vim.api.nvim_get_current_tabpage())
end

--- Brings the diffs up to date. One of which nothing waits any more is closed, unless it has unsaved changes.
function M.refresh()
  for tab, diff in pairs(diffs) do
    if #review.of(diff.id, diff.uri) == 0 and not vim.api.nvim_buf_get_option(diff.proposed, 'modified') then
      close(tab)
      pcall(vim.api.nvim_buf_delete, diff.proposed, {})
    end
  end
  proposal_buffer.refresh(function()
    vim.cmd('diffupdate')
  end)
end

return M
