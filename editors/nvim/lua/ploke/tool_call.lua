--- What a tool call was given and what it returned, in a window of its own.

local client = require('ploke.client')
local config = require('ploke.config')
local requests = require('ploke.requests')

local M = {}

local function lines_of(text)
  return vim.split(text, '\n', { plain = true, trimempty = true })
end

local function open(call, given)
  local lines = { '# ' .. call.tool, '', '```json' }
  vim.list_extend(lines, lines_of(given.text))
  vim.list_extend(lines, { '```', '', call.error and 'It failed: ' .. call.error or 'It returned:', '', '```json' })
  vim.list_extend(lines, lines_of(call.text))
  vim.list_extend(lines, { '```', call.next and ('The first %d of %d bytes are shown.'):format(call.next, call.total) or nil })
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', false)
  vim.api.nvim_buf_set_option(bufnr, 'bufhidden', 'wipe')
  vim.cmd(config.get().split)
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.api.nvim_buf_set_option(bufnr, 'filetype', 'markdown')
  require('ploke.keys').attach(bufnr, 'tool')
end

--- Shows a tool call of the current conversation.
--- @param id string
function M.show(id)
  client.with(function(server)
    local call = { conversationId = require('ploke.turns').conversation(server).id, callId = id }
    requests.tool_result(server, vim.tbl_extend('force', call, { text = 'arguments' }), function(given)
      requests.tool_result(server, call, function(result)
        open(result, given)
      end)
    end)
  end)
end

return M
