--- Proposed changes: shown in the chat, reviewed as a diff, edited, accepted whole or in part, or
--- rejected. The server stores them. After an accept it sends the edit, which Neovim applies.

local client = require('ploke.client')
local proposal_buffer = require('ploke.proposal_buffer')
local proposal_diff = require('ploke.proposal_diff')
local requests = require('ploke.requests')

local M = {}

local offered = {} -- id -> { id, title, status, server, section, mark }
local order = {} -- ids, oldest first

-- The undecided states with their hints. A proposal shows the first of them that any of its hunks has.
local hints = {
  { 'stale', 'stale: :Ploke diff shows where it does not fit' },
  { 'failed', 'failed: :Ploke accept tries again' },
  { 'staged', ':Ploke accept / :Ploke reject / :Ploke diff' },
}

--- Returns the text and the highlight group of a proposal's line in the chat.
local function line_of(entry)
  for _, hint in ipairs(hints) do
    if entry.states[hint[1]] then
      local partly = entry.status == 'partial' and hint[1] == 'staged' and 'in part: ' or ''
      return ('Proposal: %s — %s%s'):format(entry.title, partly, hint[2]), 'PlokeProposal'
    end
  end
  return ('Proposal: %s — %s'):format(entry.title, entry.status), 'PlokeNote'
end

local function draw(entry)
  local text, group = line_of(entry)
  if entry.mark then
    entry.section:replace(entry.mark, text, group)
  else
    entry.mark = entry.section:line(text, group)
  end
end

--- Returns the set of the states of a proposal's hunks.
local function states_of(details)
  local states = {}
  for _, view in ipairs(details.files) do
    for _, hunk in ipairs(view.hunks) do
      states[hunk.state] = true
    end
  end
  return states
end

--- Shows a proposal in a section of the chat, or updates it there.
--- @param part ploke.Part of the type proposal
function M.offer(server, section, part)
  local entry = offered[part.id]
  if entry then
    entry.title = part.title
  else
    entry = { id = part.id, title = part.title, status = 'staged', states = { staged = true }, server = server, section = section }
    offered[part.id] = entry
    table.insert(order, part.id)
    draw(entry)
  end
  M.changed(server, part.id, part.status or entry.status)
end

--- @return boolean whether the chat shows the proposal
function M.known(id)
  return offered[id] ~= nil
end

--- Updates a proposal in the chat and in its diff.
function M.changed(server, id, status)
  local entry = offered[id]
  if entry and status ~= 'partial' then
    entry.status, entry.states = status, { [status] = true }
    draw(entry)
  end
  if not (entry and status == 'partial' or proposal_diff.shows(id)) then
    return
  end
  requests.proposal_get(server, { id = id }, function(details)
    proposal_diff.refresh(details)
    if entry then
      entry.status, entry.states = details.proposal.status, states_of(details)
      draw(entry)
    end
  end)
end

local open = { staged = true, stale = true, failed = true, partial = true }
local done = { accepted = true, applied = true, verified = true, partial = true }
local undone = { undone = true }

--- @return string[] the ids of the proposals in the chat with one of these statuses, oldest first
local function offered_ids(wanted)
  return vim.tbl_filter(function(id)
    return wanted[offered[id].status]
  end, order)
end

--- @return string[] the ids of the undecided proposals in the chat, oldest first
function M.open_ids()
  return offered_ids(open)
end

local function select_stored(server, wanted, callback)
  requests.proposal_list(server, vim.empty_dict(), function(result)
    result.proposals = vim.tbl_filter(function(item)
      return wanted[item.status]
    end, result.proposals)
    if #result.proposals == 0 then
      vim.notify('ploke: no proposal is ' .. table.concat(vim.tbl_keys(wanted), ' or '), vim.log.levels.INFO)
    elseif #result.proposals == 1 then
      callback(server, result.proposals[1].id)
    else
      vim.ui.select(result.proposals, {
        prompt = 'Proposal',
        format_item = function(item)
          return item.title
        end,
      }, function(item)
        if item then
          callback(server, item.id)
        end
      end)
    end
  end)
end

--- Calls back with a proposal: the one with the id, else the newest one in the chat with one of
--- these statuses, else one that the server has stored.
local function choose(id, wanted, callback)
  local ids = offered_ids(wanted)
  id = id or ids[#ids]
  if id and offered[id] then
    callback(offered[id].server, id)
    return
  end
  client.with(function(server)
    if id then
      callback(server, id)
    else
      select_stored(server, wanted, callback)
    end
  end)
end

--- Opens the proposal as a unified diff in a split, below its conflicts.
--- @param id string|nil
function M.diff(id)
  choose(id, open, function(server, chosen)
    requests.proposal_get(server, { id = chosen }, proposal_diff.open)
  end)
end

local function accept(server, params)
  local unwritten = proposal_buffer.unwritten(params.id)
  if unwritten then
    vim.notify(('ploke: %s has unsaved changes; write or discard them first'):format(unwritten), vim.log.levels.ERROR)
    return
  end
  requests.proposal_accept(server, params, function(result)
    M.changed(server, params.id, result.status)
    vim.notify(('ploke: proposal %s; :wall saves the changed files, :Ploke undo reverts them'):format(result.status), vim.log.levels.INFO)
  end)
end

--- Accepts the proposal. The edit arrives as workspace/applyEdit before the reply.
--- @param id string|nil
function M.accept(id)
  choose(id, open, function(server, chosen)
    accept(server, { id = chosen })
  end)
end

--- Accepts the hunk or the file under the cursor in a diff.
--- @param part 'hunk'|'file'
function M.accept_part(part)
  local under = proposal_diff.under_cursor()
  if not under or not under[part] then
    vim.notify(('ploke: no %s of a proposal is under the cursor; :Ploke diff opens one'):format(part), vim.log.levels.ERROR)
    return
  end
  choose(under.id, open, function(server, id)
    accept(server, { id = id, hunks = part == 'hunk' and { under.hunk } or nil, files = part == 'file' and { under.file } or nil })
  end)
end

--- Returns the undecided files of a proposal that it does not delete.
local function editable(details)
  return vim.tbl_filter(function(view)
    return view.op ~= 'delete' and #vim.tbl_filter(function(hunk)
      return open[hunk.state]
    end, view.hunks) > 0
  end, details.files)
end

local function select_file(views, callback)
  if #views == 0 then
    vim.notify('ploke: no file of the proposal is left to edit', vim.log.levels.INFO)
  elseif #views == 1 then
    callback(views[1])
  else
    vim.ui.select(views, {
      prompt = 'File',
      format_item = function(view)
        return view.newPath or view.path
      end,
    }, function(view)
      if view then
        callback(view)
      end
    end)
  end
end

--- Opens the proposed text of a file for editing: of the file under the cursor in a diff, else of
--- one that the user chooses.
--- @param id string|nil
function M.edit(id)
  local under = proposal_diff.under_cursor() or {}
  choose(id or under.id, open, function(server, chosen)
    requests.proposal_get(server, { id = chosen }, function(details)
      local views = editable(details)
      local meant = vim.tbl_filter(function(view)
        return view.uri == under.file
      end, views)
      select_file(#meant > 0 and meant or views, function(view)
        proposal_buffer.open(server, chosen, view, function(result)
          M.changed(server, chosen, result.status)
          vim.notify('ploke: the proposal is changed; :Ploke accept applies it', vim.log.levels.INFO)
        end)
      end)
    end)
  end)
end

--- @param id string|nil
--- @param reason string|nil passed on to the model
function M.reject(id, reason)
  choose(id, open, function(server, chosen)
    requests.proposal_reject(server, { id = chosen, reason = reason }, function(result)
      M.changed(server, chosen, result.status)
      vim.notify('ploke: proposal ' .. result.status, vim.log.levels.INFO)
    end)
  end)
end

local function revise(action, id, wanted)
  choose(id, wanted, function(server, chosen)
    requests['proposal_' .. action](server, { id = chosen }, function(result)
      M.changed(server, chosen, result.status)
      vim.notify('ploke: proposal ' .. result.status, vim.log.levels.INFO)
    end)
  end)
end

--- Undoes an accepted proposal. Later edits of the same files stay.
--- @param id string|nil
function M.undo(id)
  revise('undo', id, done)
end

--- Applies an undone proposal again.
--- @param id string|nil
function M.redo(id)
  revise('redo', id, undone)
end

return M
