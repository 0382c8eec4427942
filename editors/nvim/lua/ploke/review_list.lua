--- The hunks that wait as a quickfix list, which follows the review.

local proposal_buffer = require('ploke.proposal_buffer')
local place = require('ploke.review_place')
local review = require('ploke.review')
local say = require('ploke.say')

local M = {}

local id -- of the quickfix list, once there is one

local function item(waiting)
  local to, prefix = waiting.file, waiting.hunk.conflict and 'in conflict: ' or ''
  return {
    bufnr = to.op == 'create' and proposal_buffer.of(waiting) or place.buffer_of(to.uri),
    lnum = waiting.hunk.range.start.line + 1,
    col = 1,
    text = prefix .. waiting.hunk.summary,
  }
end

local function fill(action, number)
  vim.fn.setqflist({}, action, { id = action == 'r' and id or nil, title = 'ploke: hunks that wait', items = vim.tbl_map(item, review.hunks()), idx = number })
end

--- Opens the list, at the hunk at the cursor. The cursor stays where it is.
function M.open()
  if #review.hunks() == 0 then
    say.info('nothing waits for a decision')
    return
  end
  local _, number = review.current()
  fill(' ', number)
  id = vim.fn.getqflist({ id = 0 }).id
  proposal_buffer.refresh(function() end)
  vim.cmd('botright copen | wincmd p')
end

--- Brings the list up to date if there still is one.
function M.refresh()
  if id and vim.fn.getqflist({ id = id }).id == id then
    local _, number = review.current()
    fill('r', number)
  end
end

return M
