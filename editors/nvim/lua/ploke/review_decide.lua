--- Decides on the hunks that wait: on the one at the cursor, on those of a file, or on all.

local proposal_buffer = require('ploke.proposal_buffer')
local place = require('ploke.review_place')
local requests = require('ploke.requests')
local review = require('ploke.review')
local say = require('ploke.say')
local view = require('ploke.review_view')

local M = {}

--- Returns the hunks of the file in the current buffer.
local function of_file()
  local bufnr = vim.api.nvim_get_current_buf()
  local proposed = proposal_buffer.file_of(bufnr)
  if proposed then
    return review.of(proposed.id, proposed.uri)
  end
  local hunks = {}
  for _, at in ipairs(place.list(bufnr)) do
    table.insert(hunks, (review.find(at.id)))
  end
  return hunks
end

--- Returns the hunks that a part names.
--- @param part 'hunk'|'file'|'all'
local function named(part)
  if part == 'hunk' then
    return { review.at_cursor() }
  end
  return part == 'file' and of_file() or review.hunks()
end

--- Returns the ids of the hunks of each proposal, in their order.
local function by_proposal(hunks)
  local groups = {}
  for _, one in ipairs(hunks) do
    local group = groups[#groups]
    if not group or group.id ~= one.proposal.id then
      group = { server = one.server, id = one.proposal.id, version = one.proposal.version, hunks = {} }
      table.insert(groups, group)
    end
    table.insert(group.hunks, one.hunk.id)
  end
  return groups
end

--- Sends one decision after the other, and waits until the review shows them.
local function send(verb, groups, decided)
  local group = table.remove(groups, 1)
  requests['proposal_' .. verb](group.server, { id = group.id, version = group.version, hunks = group.hunks }, function(result)
    require('ploke.proposal').decided(group.server, group.id, verb, result)
    if groups[1] then
      send(verb, groups, decided)
    else
      review.refresh(group.server, decided)
    end
  end, function(err)
    say.error(err.message)
    review.refresh(group.server, decided)
  end)
end

local function unfit(hunks)
  return #vim.tbl_filter(function(one)
    return one.hunk.conflict
  end, hunks)
end

--- Says that a buffer would be written with other line ends than its file has, as .editorconfig makes it: a change of it could not
--- be told from that.
local function turned_line_ends(hunks)
  for _, one in ipairs(hunks) do
    local path = vim.uri_to_fname(one.file.uri)
    local bufnr = vim.fn.bufloaded(path) == 1 and vim.fn.bufnr(vim.fn.fnameescape(path)) or -1
    local first = vim.fn.filereadable(path) == 1 and vim.fn.readfile(path, 'b', 1)[1] or ''
    local dos = vim.endswith(first, '\r')
    if bufnr > 0 and first ~= '' and dos ~= (vim.api.nvim_buf_get_option(bufnr, 'fileformat') == 'dos') then
      local has, would = dos and 'CRLF' or 'LF', dos and 'LF' or 'CRLF'
      return ('%s has %s line ends, and Neovim would write %s; write it first, or :set fileformat=%s'):format(
        vim.fn.fnamemodify(path, ':t'), has, would, dos and 'dos' or 'unix')
    end
  end
end

--- Says why hunks can't be accepted, if they can't.
local function hindrance(hunks)
  local conflicts = unfit(hunks)
  for _, one in ipairs(hunks) do
    local unwritten = proposal_buffer.unwritten(one.proposal.id)
    if unwritten then
      return ('%s has unsaved changes; write or discard them first'):format(unwritten)
    end
  end
  local turned = turned_line_ends(hunks)
  if turned then
    return turned
  end
  if conflicts == #hunks then
    return (conflicts == 1 and 'the hunk is' or conflicts .. ' hunks are') .. ' in conflict with the file; :Ploke edit resolves it'
  end
end

--- Decides on hunks. Hunks in conflict are not accepted.
local function decide(verb, hunks, decided)
  local accepts = verb == 'accept'
  local problem = accepts and hindrance(hunks)
  if problem then
    say.warn(problem)
    return
  end
  local left = accepts and unfit(hunks) or 0
  send(verb, by_proposal(vim.tbl_filter(function(one)
    return not (accepts and one.hunk.conflict)
  end, hunks)), function()
    if left > 0 then
      say.warn(('%d not accepted, in conflict with the file; :Ploke edit resolves it'):format(left))
    end
    decided()
  end)
end

--- Shows the hunk that has taken the place of a decided one.
local function go_on(number, id, in_diff)
  local hunks = review.hunks()
  local next_one = hunks[number] or hunks[1]
  if not next_one then
    say.info('all is decided; :wall saves the files, :Ploke undo reverts what was accepted')
  elseif review.find(id) then
    say.warn('the text has changed meanwhile, so nothing was decided; try again')
  else
    view.show(next_one, in_diff)
  end
end

--- Accepts or rejects a part of the review. After a hunk or a file it shows what comes next.
--- @param verb 'accept'|'reject'
--- @param part 'hunk'|'file'|'all'
function M.decide(verb, part)
  local hunks = named(part)
  if #hunks == 0 then
    say.info(part == 'all' and 'nothing waits for a decision' or 'no hunk is here; :Ploke next goes to one')
    return
  end
  if verb == 'reject' and part == 'all' and #hunks > 1 and vim.fn.confirm(('Reject all %d hunks?'):format(#hunks), '&Reject\n&Cancel', 2) ~= 1 then
    return
  end
  local first, in_diff = hunks[1], require('ploke.proposal_diff').is_open()
  local _, number = review.find(first.hunk.id)
  decide(verb, hunks, function()
    go_on(number, first.hunk.id, in_diff)
  end)
end

return M
