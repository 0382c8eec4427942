--- Proposed changes: shown in the chat, and decided on as a whole. The server stores them. After an accept it sends the edit,
--- which Neovim applies.

local chat_buffer = require('ploke.chat_buffer')
local places = require('ploke.chat_places')
local client = require('ploke.client')
local events = require('ploke.events')
local evidence = require('ploke.evidence')
local proposal_buffer = require('ploke.proposal_buffer')
local proposal_diff = require('ploke.proposal_diff')
local proposal_state = require('ploke.proposal_state')
local requests = require('ploke.requests')
local review = require('ploke.review')
local say = require('ploke.say')

local M = {}

local offered = {} -- id -> { id, title, status, label, server, section, mark }
local versions = {} -- id -> the version that was shown last
local order = {} -- ids, oldest first
local accepted -- id of the proposal of which something was accepted last, until it is undone

local open = { staged = true, stale = true, failed = true, partial = true }
local done = { accepted = true, applied = true, verified = true, partial = true }
local undone = { undone = true, partial = true }

--- Shows below the line of a proposal what is known of it.
local function draw_evidence(id)
  local entry = offered[id]
  if entry and entry.mark then
    entry.section:lines_below(entry.mark, vim.tbl_map(function(one)
      return { text = '  ' .. evidence.line(one), group = evidence.group(one), place = { proposal = id } }
    end, evidence.of(id)))
  end
end

evidence.listen(draw_evidence)

local function draw(entry)
  local text = ('Proposal: %s — %s'):format(entry.title, entry.label)
  local group = 'PlokeNote'
  if open[entry.status] and (entry.status ~= 'partial' or entry.label:find('waiting') or entry.label:find('conflict')) then
    text, group = text .. '; :Ploke next / :Ploke accept / :Ploke reject / :Ploke diff', 'PlokeProposal'
  end
  if entry.mark then
    entry.section:replace(entry.mark, text, group)
  else
    entry.mark = entry.section:line(text, group)
  end
end

--- Shows a proposal in a section of the chat, or updates it there.
--- @param part ploke.Part of the type proposal
function M.offer(server, section, part)
  local entry = offered[part.id]
  if not entry then
    entry = { id = part.id, status = 'staged', label = proposal_state.word('staged'), server = server, section = section }
    offered[part.id] = entry
    table.insert(order, part.id)
  end
  entry.title = part.title
  if not (entry.mark and entry.section:is_shown()) then -- it is new, or the chat was drawn again
    entry.section, entry.mark = section, nil
    draw(entry)
    draw_evidence(part.id)
  end
  versions[part.id] = part.version or versions[part.id]
  M.changed(server, part.id, part.status or entry.status)
end

--- @return string|nil the version of a proposal that was shown last: by the review, else in the chat
local function shown_version(id)
  local waiting = review.of(id)[1]
  return waiting and waiting.proposal.version or versions[id]
end

--- @return boolean whether the chat shows the proposal
function M.known(id)
  return offered[id] ~= nil
end

--- Updates a proposal in the chat. The states of its parts are read if they may differ.
function M.changed(server, id, status)
  local entry = offered[id]
  if not entry then
    return
  end
  entry.status = status
  events.fire('PlokeProposal', { id = id, title = entry.title, status = status })
  if status ~= 'partial' and status ~= 'stale' then
    entry.label = proposal_state.word(status)
    draw(entry)
    return
  end
  requests.proposal_get(server, { id = id }, function(details)
    entry.status, entry.label, versions[id] = details.proposal.status, proposal_state.label(details), details.proposal.version
    draw(entry)
  end)
end

--- Notes the outcome of a decision on a proposal or on a part of it.
--- @param verb 'accept'|'reject'
--- @param decision ploke.ProposalDecision
function M.decided(server, id, verb, decision)
  versions[id] = decision.version
  if verb == 'accept' then
    accepted = id
  end
  M.changed(server, id, decision.status)
end

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
    local proposals = vim.tbl_filter(function(item)
      return wanted[item.status]
    end, result.proposals)
    for _, item in ipairs(proposals) do
      versions[item.id] = item.version
    end
    if #proposals == 0 then
      local words = vim.tbl_map(proposal_state.word, vim.tbl_keys(wanted))
      table.sort(words)
      say.info('no proposed change is ' .. table.concat(words, ' or '))
    elseif #proposals == 1 then
      callback(server, proposals[1].id)
    else
      vim.ui.select(proposals, {
        prompt = 'Proposed change',
        format_item = function(item)
          return ('%s (%s)'):format(item.title, proposal_state.word(item.status))
        end,
      }, function(item)
        if item then
          callback(server, item.id)
        end
      end)
    end
  end)
end

--- Calls back with a proposal: the one with the id, else the one under the cursor, else the newest one in the chat with one of
--- these statuses, else one that the server has stored.
local function choose(id, wanted, callback)
  local here = wanted == open and not id and review.at_cursor()
  local ids = offered_ids(wanted)
  id = id or here and here.proposal.id or ids[#ids]
  local waiting = id and review.of(id)[1]
  if waiting or offered[id] then
    callback((waiting or offered[id]).server, id)
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

--- Calls back with the server and the id of a proposal: the one with the id, else the one that the line of the chat under the
--- cursor is about, else the one of the hunk at the cursor, else the newest one that waits.
--- @param id string|nil
--- @param callback fun(server: table, id: string)
function M.choose(id, callback)
  local in_chat = vim.api.nvim_get_current_buf() == chat_buffer.get() and places.on(vim.fn.line('.') - 1)
  choose(id or in_chat and in_chat.proposal or nil, open, callback)
end

--- Shows a file of a proposal of which nothing waits, as it was before and after.
local function compare(server, id, uri)
  requests.proposal_get(server, { id = id }, function(details)
    local files = vim.tbl_filter(function(file)
      return not uri or file.uri == uri or file.newUri == uri
    end, details.files)
    proposal_diff.compare(files[1] or details.files[1])
  end)
end

--- Opens a file of a proposal as a diff: the one with the uri, else the one at the cursor, else the first of which something waits.
local function show_diff(server, id, uri, edits)
  local here = review.at_cursor()
  if here and here.proposal.id == id and (not uri or here.file.uri == uri) then
    proposal_diff.open(here, edits)
    return
  end
  review.refresh(server, function()
    local waiting = review.of(id, uri)[1]
    if waiting then
      proposal_diff.open(waiting, edits)
    else
      compare(server, id, uri)
    end
  end)
end

--- Opens a proposal in diff mode.
--- @param id string|nil
--- @param uri string|nil of one of its files
function M.diff(id, uri)
  choose(id, open, function(server, chosen)
    show_diff(server, chosen, uri)
  end)
end

--- Opens the diff of the file at the cursor, or closes the one of this tab.
function M.toggle_diff()
  if proposal_diff.is_open() then
    proposal_diff.close()
  else
    M.diff()
  end
end

--- Opens the proposed text of a file for editing, as the right side of its diff.
--- @param id string|nil
function M.edit(id)
  choose(id, open, function(server, chosen)
    show_diff(server, chosen, nil, true)
  end)
end

--- Accepts the proposal. The edit arrives as workspace/applyEdit before the reply.
--- @param id string|nil
function M.accept(id)
  choose(id, open, function(server, chosen)
    local unwritten = proposal_buffer.unwritten(chosen)
    if unwritten then
      say.error(('%s has unsaved changes; write or discard them first'):format(unwritten))
      return
    end
    requests.proposal_accept(server, { id = chosen, version = shown_version(chosen) }, function(result)
      M.decided(server, chosen, 'accept', result)
      review.refresh(server)
      local applied = done[result.status] and '; :wall saves the files, :Ploke undo reverts it' or ''
      say.info(proposal_state.word(result.status) .. applied)
    end)
  end)
end

--- @param id string|nil
--- @param reason string|nil passed on to the model
function M.reject(id, reason)
  choose(id, open, function(server, chosen)
    requests.proposal_reject(server, { id = chosen, version = shown_version(chosen), reason = reason }, function(result)
      M.decided(server, chosen, 'reject', result)
      review.refresh(server)
      say.info(proposal_state.word(result.status))
    end)
  end)
end

local function revise(action, id, wanted, success)
  choose(id, wanted, function(server, chosen)
    requests['proposal_' .. action](server, { id = chosen, version = shown_version(chosen) }, function(result)
      versions[chosen] = result.version
      M.changed(server, chosen, result.status)
      review.refresh(server)
      say.info(success)
    end)
  end)
end

--- Undoes what was accepted of a proposal: by default of the one of which something was accepted last. Later edits of the same
--- files stay.
--- @param id string|nil
function M.undo(id)
  id, accepted = id or accepted, nil
  revise('undo', id, done, 'undone; :Ploke redo applies it again')
end

--- Applies an undone proposal again.
--- @param id string|nil
function M.redo(id)
  revise('redo', id, undone, 'applied again')
end

return M
