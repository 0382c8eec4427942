--- The states of proposed changes in the words that people see.

local M = {}

local words = {
  staged = 'waiting',
  stale = 'in conflict',
  failed = 'not applied',
  accepted = 'accepted',
  applied = 'applied',
  verified = 'applied and checked',
  undone = 'undone',
  rejected = 'rejected',
  withdrawn = 'withdrawn',
  partial = 'decided in part',
}

-- The order of words that stand side by side.
local order = { 'in conflict', 'waiting', 'not applied', 'accepted', 'applied', 'applied and checked', 'undone', 'rejected', 'withdrawn' }

local open = { staged = true, stale = true, failed = true }

--- @param status ploke.ProposalStatus
--- @return string
function M.word(status)
  return words[status] or status
end

--- Returns the words for all hunks of a proposal, with their numbers if they differ, such as '1 waiting, 2 rejected'.
--- @param details ploke.ProposalGetResult
--- @return string
function M.label(details)
  local unfit, counts = {}, {}
  for _, conflict in ipairs(details.conflicts or {}) do
    for _, id in ipairs(conflict.hunks) do
      unfit[id] = true
    end
  end
  for _, file in ipairs(details.files) do
    for _, hunk in ipairs(file.hunks) do
      local word = hunk.state == 'stale' and 'waiting' or M.word(hunk.state)
      word = open[hunk.state] and unfit[hunk.id] and 'in conflict' or word
      counts[word] = (counts[word] or 0) + 1
    end
  end
  local labels = {}
  for _, word in ipairs(order) do
    if counts[word] then
      table.insert(labels, ('%d %s'):format(counts[word], word))
    end
  end
  return #labels == 1 and labels[1]:gsub('^%d+ ', '') or table.concat(labels, ', ')
end

return M
