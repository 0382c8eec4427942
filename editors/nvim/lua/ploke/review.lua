--- The review: the hunks that wait for a decision. The server knows them, and their places in the texts as they are now. It
--- is asked again whenever it says that the review has changed.

local place = require('ploke.review_place')
local requests = require('ploke.requests')
local say = require('ploke.say')

local M = {}

--- @class ploke.Waiting a hunk that waits for a decision
--- @field server table
--- @field proposal ploke.ReviewedProposal
--- @field file ploke.ReviewedFile
--- @field hunk ploke.ReviewedHunk

local reviews = {} -- { server, hunks, asking, outdated, callbacks }, the first server first
local all = {} -- the hunks of all servers
local numbers = {} -- id of a hunk -> its number among all
local listeners = {}
local visited -- id of the hunk that was shown last

local function review_of(server)
  for _, review in ipairs(reviews) do
    if review.server == server then
      return review
    end
  end
  table.insert(reviews, { server = server, hunks = {}, callbacks = {} })
  return reviews[#reviews]
end

--- Calls a function after each change of the review.
--- @param changed fun()
function M.listen(changed)
  table.insert(listeners, changed)
end

--- Notes what waits now, with the states of the buffers that it is about.
local function announce(ticks)
  all, numbers = {}, {}
  for _, review in ipairs(reviews) do
    vim.list_extend(all, review.hunks)
  end
  for number, one in ipairs(all) do
    numbers[one.hunk.id] = number
  end
  place.update(all, ticks)
  for _, changed in ipairs(listeners) do
    changed()
  end
end

local function waiting_in(server, proposals)
  local hunks = {}
  for _, proposal in ipairs(proposals) do
    for _, file in ipairs(proposal.files) do
      for _, hunk in ipairs(file.hunks) do
        table.insert(hunks, { server = server, proposal = proposal, file = file, hunk = hunk })
      end
    end
  end
  return hunks
end

--- Asks once, and again if the review has changed meanwhile. A request sends what was typed before it, so the places of the
--- answer are those of a buffer that has not changed since.
local function ask(review)
  local callbacks, ticks = review.callbacks, place.ticks()
  review.callbacks, review.asking, review.outdated = {}, true, false
  local function finish()
    review.asking = false
    if review.outdated then
      ask(review)
    end
  end
  requests.review(review.server, function(result)
    review.hunks = waiting_in(review.server, result.proposals)
    announce(ticks)
    for _, callback in ipairs(callbacks) do
      callback()
    end
    finish()
  end, function(err)
    say.error('the review can not be read: ' .. err.message)
    finish()
  end)
end

--- Asks the server for the review.
--- @param callback fun()|nil called when an answer to a question that was sent after this call is shown
function M.refresh(server, callback)
  local review = review_of(server)
  table.insert(review.callbacks, callback)
  if review.asking then
    review.outdated = true
  else
    ask(review)
  end
end

--- Forgets the hunks of a server that has ended.
function M.server_ended(server)
  reviews = vim.tbl_filter(function(review)
    return review.server ~= server
  end, reviews)
  announce(place.ticks())
end

--- @return ploke.Waiting[] all hunks that wait: the newest proposal first, then in the order of its files and their texts
function M.hunks()
  return all
end

--- Returns the hunks of a proposal, or of one of its files under its old or its new name.
--- @return ploke.Waiting[]
function M.of(id, uri)
  return vim.tbl_filter(function(one)
    return one.proposal.id == id and (not uri or one.file.uri == uri or one.file.newUri == uri)
  end, M.hunks())
end

--- Returns the hunk with an id, with its number among all.
--- @return ploke.Waiting|nil
--- @return number|nil
function M.find(id)
  return all[numbers[id]], numbers[id]
end

--- Remembers that a hunk was shown.
function M.visit(waiting)
  visited = waiting.hunk.id
end

--- Returns the hunk at the cursor. If there are several, it is the one that was shown last.
--- @return ploke.Waiting|nil
function M.at_cursor()
  local bufnr, row = vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1] - 1
  local found = place.at(bufnr, row)
  local chosen
  for _, id in ipairs(found) do
    chosen = (not chosen or id == visited) and M.find(id) or chosen
  end
  return chosen
end

--- Returns the hunk at the cursor, else the one that was shown last, with its number among all.
--- @return ploke.Waiting|nil
--- @return number|nil
function M.current()
  local at = M.at_cursor()
  return M.find(at and at.hunk.id or visited)
end

return M
