-- A scripted model server on loopback with the protocol of OpenAI's chat completions.

local M = {}

local uv = vim.uv or vim.loop

--- One event of a streamed answer.
function M.chunk(delta, finish)
  local choice = { index = 0, delta = delta, finish_reason = finish }
  return 'data: ' .. vim.json.encode({ object = 'chat.completion.chunk', choices = { choice } }) .. '\n\n'
end

--- Serves until Neovim quits.
--- @param reply fun(connection: table, body: string) called for each complete request, outside of Neovim's main loop
--- @return string base URL
function M.serve(reply)
  local listener = uv.new_tcp()
  listener:bind('127.0.0.1', 0)
  listener:listen(16, function()
    local connection, request = uv.new_tcp(), ''
    listener:accept(connection)
    connection:read_start(function(_, data)
      if not data then
        return connection:is_closing() or connection:close()
      end
      request = request .. data
      local head, body = request:match('^(.-\r\n\r\n)(.*)$')
      if head and #body == tonumber(head:match('[Cc]ontent%-[Ll]ength: (%d+)')) then
        reply(connection, body)
      end
    end)
  end)
  return ('http://127.0.0.1:%d/v1'):format(listener:getsockname().port)
end

return M
