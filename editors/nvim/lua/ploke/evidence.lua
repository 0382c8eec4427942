--- What is known of proposals besides their changes: whether they build, and what their tests say. The server finds it out,
--- and says so in parts of a turn, in events, and in the review.

local review = require('ploke.review')
local say = require('ploke.say')

local M = {}

local widest = 76 -- cells of a line, which the chat indents
local known = {} -- id of a proposal -> ploke.Evidence[]
local listeners = {}

-- By state: the mark before the line of a source, and its highlight.
local looks = {
  running = { '…', 'PlokeNote' },
  passed = { '✓', 'PlokeNote' },
  failed = { '✗', 'PlokeProblem' },
  unknown = { '?', 'PlokeNote' },
  stale = { '~', 'PlokeNote' },
}

--- @param one ploke.Evidence
--- @return string one line, such as '✓ go vet: passed (1.2 s)'
function M.line(one)
  local mark = (looks[one.state] or looks.unknown)[1]
  return say.fit(('%s %s: %s'):format(mark, one.source, one.summary), widest)
end

--- @param one ploke.Evidence
--- @return string the highlight group of its line
function M.group(one)
  return (looks[one.state] or looks.unknown)[2]
end

--- @param all ploke.Evidence[]
--- @return string what all sources say, in one line
function M.summary(all)
  return table.concat(vim.tbl_map(M.line, all), '; ')
end

--- @return ploke.Evidence[] what is known of a proposal, by source
function M.of(id)
  return known[id] or {}
end

--- Notes what is known of a proposal now.
--- @param all ploke.Evidence[]|nil
function M.set(id, all)
  if vim.deep_equal(known[id], all) then
    return
  end
  known[id] = all
  for _, changed in ipairs(listeners) do
    changed(id)
  end
end

--- Calls a function with the id of a proposal whenever more is known of it.
--- @param changed fun(id: string)
function M.listen(changed)
  table.insert(listeners, changed)
end

review.listen(function()
  local seen = {}
  for _, waiting in ipairs(review.hunks()) do
    local proposal = waiting.proposal
    if not seen[proposal.id] then
      seen[proposal.id] = true
      M.set(proposal.id, proposal.evidence)
    end
  end
end)

return M
