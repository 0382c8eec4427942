--- Proposed changes: offered in the chat, reviewed as a diff, accepted or rejected. The server
--- keeps them and sends the edit that an accept brings; Neovim applies it.

local client = require('ploke.client')
local config = require('ploke.config')
local requests = require('ploke.requests')

local M = {}

local offered = {} -- id -> { id, title, status, server, section, mark }
local order = {} -- ids, oldest first

local function text(entry)
  local hint = entry.status == 'staged' and ':Ploke accept / :Ploke reject / :Ploke diff' or entry.status
  return ('Proposal: %s — %s'):format(entry.title, hint)
end

local function group(entry)
  return entry.status == 'staged' and 'PlokeProposal' or 'PlokeNote'
end

--- Shows a proposal in a section of the chat, or what it has become since.
--- @param part { id: string, title: string, status: string|nil }
function M.offer(server, section, part)
  local entry = offered[part.id]
  if not entry then
    entry = { id = part.id, title = part.title, status = part.status or 'staged', server = server, section = section }
    entry.mark = section:line(text(entry), group(entry))
    offered[part.id] = entry
    table.insert(order, part.id)
  else
    entry.title = part.title
    M.changed(part.id, part.status or entry.status)
  end
end

--- @return boolean whether it was offered in this chat
function M.known(id)
  return offered[id] ~= nil
end

--- Shows what has become of a proposal.
function M.changed(id, status)
  local entry = offered[id]
  if entry then
    entry.status = status
    entry.section:replace(entry.mark, text(entry), group(entry))
  end
end

local open = { staged = true }
local done = { accepted = true, applied = true, verified = true }
local undone = { undone = true }

--- @return string[] the ids of what is offered and has one of these statuses, oldest first
local function offered_ids(wanted)
  return vim.tbl_filter(function(id)
    return wanted[offered[id].status]
  end, order)
end

--- @return string[] the ids of what is offered and undecided, oldest first
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

--- Finds the proposal that is meant: by id, else the newest one offered in the chat with one of
--- these statuses, else one that the server still has from before.
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

local function diff_buffer(id)
  local name = 'ploke://proposal/' .. id
  local bufnr = vim.fn.bufnr('^' .. name .. '$')
  if bufnr < 0 then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(bufnr, name)
    vim.api.nvim_buf_set_option(bufnr, 'filetype', 'diff')
    vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, desc = 'ploke: close the diff' })
  end
  return bufnr
end

local function show_diff(id, diff)
  local bufnr = diff_buffer(id)
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(diff:gsub('\n$', ''), '\n', { plain = true }))
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', false)
  local win = vim.fn.win_findbuf(bufnr)[1]
  if win then
    vim.api.nvim_set_current_win(win)
  else
    vim.cmd(config.get().split)
    vim.api.nvim_win_set_buf(0, bufnr)
  end
end

--- Opens the proposal as a unified diff in a split.
--- @param id string|nil
function M.diff(id)
  choose(id, open, function(server, chosen)
    requests.proposal_get(server, { id = chosen }, function(result)
      show_diff(chosen, result.diff)
    end)
  end)
end

--- Accepts the proposal; the edit arrives as workspace/applyEdit before the reply does.
--- @param id string|nil
function M.accept(id)
  choose(id, open, function(server, chosen)
    requests.proposal_accept(server, { id = chosen }, function(result)
      M.changed(chosen, result.status)
      vim.notify(('ploke: proposal %s; :wall saves the files that changed, :Ploke undo takes it back'):format(result.status), vim.log.levels.INFO)
    end)
  end)
end

--- @param id string|nil
--- @param reason string|nil what the model is told
function M.reject(id, reason)
  choose(id, open, function(server, chosen)
    requests.proposal_reject(server, { id = chosen, reason = reason }, function(result)
      M.changed(chosen, result.status)
      vim.notify('ploke: proposal ' .. result.status, vim.log.levels.INFO)
    end)
  end)
end

local function revise(action, id, wanted)
  choose(id, wanted, function(server, chosen)
    requests.proposal_revise(server, action, { id = chosen }, function(result)
      M.changed(chosen, result.status)
      vim.notify('ploke: proposal ' .. result.status, vim.log.levels.INFO)
    end)
  end)
end

--- Takes an accepted proposal back; what was typed since stays.
--- @param id string|nil
function M.undo(id)
  revise('undo', id, done)
end

--- @param id string|nil
function M.redo(id)
  revise('redo', id, undone)
end

return M
