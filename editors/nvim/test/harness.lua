-- Shared by the tests: counted checks, waiting for conditions, reading the chat.

local M = {}

local passed, failed = 0, 0

local decisions = { accept = true, reject = true, undo = true, redo = true, edit = true }
local unnamed = {} -- methods of decisions that were sent without the version that was shown

--- Looks at the decisions that a client sends: the server would decide on what it has shown last if they named no version.
local function watch_decisions(id)
  local rpc = vim.lsp.get_client_by_id(id).rpc
  local request = rpc.request
  rpc.request = function(method, params, ...)
    local verb = method:match('^ploke/proposal/(%l+)$')
    if decisions[verb] and not params.version then
      table.insert(unnamed, method)
    end
    return request(method, params, ...)
  end
end

vim.api.nvim_create_autocmd('User', {
  pattern = 'PlokeServerReady',
  callback = function(event)
    watch_decisions((event.data or vim.g.ploke_event).client_id)
  end,
})

function M.check(name, ok, detail)
  passed, failed = passed + (ok and 1 or 0), failed + (ok and 0 or 1)
  io.stdout:write(('%s %s%s\n'):format(ok and 'ok  ' or 'FAIL', name, not ok and detail and ': ' .. detail or ''))
end

--- Checks that a condition becomes true within 20 seconds. `detail` describes the actual state.
function M.eventually(name, condition, detail)
  local ok = vim.wait(20000, condition, 10)
  M.check(name, ok, not ok and detail and detail() or nil)
end

function M.lines(bufnr)
  return vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
end

function M.text(path)
  return table.concat(M.lines(vim.fn.bufnr(path)), '\n')
end

function M.chat()
  return vim.fn.bufnr('^ploke://chat$')
end

--- Returns the text of the chat above its prompt.
function M.chat_text()
  local buffer = require('ploke.chat_buffer')
  return buffer.get() and table.concat(buffer.lines(0, buffer.border()), '\n') or ''
end

--- Returns the text of the chat's prompt.
function M.prompt()
  return require('ploke.chat_prompt').text()
end

--- Returns the chat from a question on. Each question is asked only once.
function M.answer(question)
  local all = M.chat_text()
  local at = all:find('> ' .. question, 1, true)
  return at and all:sub(at) or ''
end

function M.answered(question)
  return #vim.split(M.answer(question), '\n') > 4 and not M.answer(question):find('\n· failed')
end

--- Whether nothing runs. Changes may wait, as in 'ploke 2/5'.
function M.idle()
  return require('ploke').status():find('^ploke[ %d/]*$') ~= nil
end

--- Waits for the index, which has the names of symbols for citations.
function M.indexed()
  local state
  local function look()
    require('ploke.client').with(function(server)
      require('ploke.requests').index_status(server, function(result)
        state = result.state
        if state ~= 'ready' then
          vim.defer_fn(look, 50)
        end
      end)
    end)
  end
  look()
  M.eventually('the index becomes ready', function()
    return state == 'ready'
  end, function()
    return vim.inspect({ state, vim.g.ploke_status })
  end)
end

local status -- of the newest proposal, as the server has last said

--- Waits until the server has settled after a decision on the newest proposal, and checks its status. A change that an editor
--- has made otherwise than planned is in the text at once, and fails only seconds later.
function M.settles(what, expected)
  status = nil
  M.eventually(what, function()
    require('ploke.client').with(function(server)
      require('ploke.requests').proposal_list(server, vim.empty_dict(), function(result)
        status = result.proposals[1] and result.proposals[1].status
      end)
    end)
    return status == expected or status == 'failed'
  end, function()
    return vim.inspect(status)
  end)
  M.check(what .. ', and stays so: ' .. expected, status == expected, vim.inspect(status))
end

--- Saves a buffer as an artifact.
function M.save(name, bufnr)
  vim.fn.writefile(M.lines(bufnr), os.getenv('ARTIFACTS_DIR') .. '/' .. name)
end

--- Runs the parts, prints the counts, and quits Neovim, with status 1 if a check failed.
function M.run(parts)
  local ok, err = xpcall(function()
    for _, part in ipairs(parts) do
      part()
    end
  end, debug.traceback)
  if not ok then
    M.check('the test runs to its end', false, err)
  end
  M.check('each decision names the version that was shown', #unnamed == 0, vim.inspect(unnamed))
  io.stdout:write(('%d passed, %d failed\n'):format(passed, failed))
  -- Neovim no longer ignores SIGPIPE when it writes its last words to a server, which may have gone.
  local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
  vim.lsp.stop_client(clients())
  vim.wait(5000, function()
    return #clients() == 0
  end)
  vim.cmd(failed == 0 and 'qall!' or 'cquit 1')
end

return M
