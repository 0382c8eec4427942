--- What is known of a proposal, whole: its new problems as a quickfix list, and what its checks have printed in a window.

local config = require('ploke.config')
local evidence = require('ploke.evidence')
local place = require('ploke.review_place')
local proposal = require('ploke.proposal')
local proposal_buffer = require('ploke.proposal_buffer')
local requests = require('ploke.requests')
local review = require('ploke.review')
local say = require('ploke.say')
local status = require('ploke.status')

local M = {}

--- Calls back with what is known of a proposal. The person is told if that is nothing.
local function read(id, callback)
  proposal.choose(id, function(server, chosen)
    requests.proposal_get(server, { id = chosen }, function(details)
      local all = details.proposal.evidence or {}
      evidence.set(chosen, all)
      if #all == 0 then
        say.info('nothing has checked the proposal; :Ploke check does')
      else
        callback(details.proposal, all)
      end
    end)
  end)
end

--- Returns the buffer and the line of a problem: in the file as it is now, at the hunk that makes its line; in the proposed text
--- of a file that is not there yet.
local function place_of(id, problem)
  local hunks, row = review.of(id, problem.uri), math.max((problem.line or 1) - 1, 0)
  local file = hunks[1] and hunks[1].file
  if not file then
    return place.buffer_of(problem.uri), row + 1
  elseif file.op == 'create' then
    return proposal_buffer.of(hunks[1]), row + 1
  end
  return place.buffer_of(file.uri), place.current_row(hunks, row) + 1
end

local function item(id, one, problem)
  local bufnr, line
  if problem.uri then
    bufnr, line = place_of(id, problem)
  end
  local note = one.state == 'stale' and 'stale: ' or ''
  local code = problem.code and (' [%s]'):format(problem.code) or ''
  return {
    bufnr = bufnr, lnum = line, col = bufnr and 1 or nil, type = problem.warning and 'W' or 'E',
    text = ('%s%s: %s%s'):format(note, one.source, problem.message, code),
  }
end

--- Shows a quickfix list. Neovim moves its lines when the text of a proposed file comes, so they are set again then.
local function show_list(title, items)
  vim.fn.setqflist({}, ' ', { title = title, items = items })
  local list = vim.fn.getqflist({ id = 0 }).id
  proposal_buffer.refresh(function()
    vim.fn.setqflist({}, 'r', { id = list, items = items })
  end)
  vim.cmd('botright copen | wincmd p')
end

--- Lists the new problems of a proposal. The cursor stays where it is.
--- @param id string|nil
function M.problems(id)
  read(id, function(about, all)
    local items = {}
    for _, one in ipairs(all) do
      for _, problem in ipairs(one.problems or {}) do
        table.insert(items, item(about.id, one, problem))
      end
    end
    if #items == 0 then
      say.info('no new problems: ' .. evidence.summary(all))
      return
    end
    show_list('ploke: new problems of ' .. about.title, items)
  end)
end

local function output_lines(all)
  local lines = {}
  for _, one in ipairs(all) do
    table.insert(lines, evidence.line(one))
    table.insert(lines, one.command and '$ ' .. one.command or nil)
    vim.list_extend(lines, vim.split(one.output or '', '\n', { plain = true, trimempty = true }))
    table.insert(lines, '')
  end
  return lines
end

--- Opens what the checks of a proposal have printed.
--- @param id string|nil
function M.open(id)
  read(id, function(about, all)
    local bufnr = proposal_buffer.scratch('evidence', about.title, table.concat(output_lines(all), '\n'))
    vim.cmd(config.get().split)
    vim.api.nvim_win_set_buf(0, bufnr)
    require('ploke.keys').attach(bufnr, 'tool')
  end)
end

--- Runs the checks of a proposal again.
--- @param id string|nil
--- @param tests boolean whether its tests run, too
function M.check(id, tests)
  proposal.choose(id, function(server, chosen)
    local key = ('progress %d check %s'):format(server.client.id, chosen) -- it goes when the server ends
    status.set(key, 'checking')
    requests.proposal_check(server, { id = chosen, tests = tests }, function(result)
      status.set(key, nil)
      evidence.set(chosen, result.evidence)
      say.info(#result.evidence > 0 and evidence.summary(result.evidence) or result.reason or 'nothing can check the proposal')
    end, function(err)
      status.set(key, nil)
      say.error(err.message)
    end)
  end)
end

return M
