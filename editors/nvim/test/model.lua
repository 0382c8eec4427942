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

local Script = {}
Script.__index = Script

local header = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n'

--- Serves answers that a test writes piece by piece.
--- @return table script with `url`, and with `requests`, the bodies of all requests
function M.script()
  local script = setmetatable({ requests = {} }, Script)
  script.url = M.serve(function(connection, body)
    connection:write(header)
    script.connection = connection -- of the answer that is being written
    table.insert(script.requests, vim.json.decode(body))
  end)
  return script
end

function Script:send(delta)
  self.connection:write(M.chunk(delta))
end

--- Appends to the answer.
function Script:say(text)
  self:send({ content = text })
end

--- Appends to what the model thinks.
function Script:think(text)
  self:send({ reasoning_content = text })
end

local function close(script, events)
  local connection = script.connection
  script.connection = nil
  connection:write(events .. 'data: [DONE]\n\n', function() connection:close() end)
end

--- Ends the answer.
--- @param usage table|nil as OpenAI counts tokens
function Script:finish(usage)
  local last = vim.json.encode({ object = 'chat.completion.chunk', choices = {}, usage = usage })
  close(self, M.chunk({ content = '.' }, 'stop') .. (usage and ('data: %s\n\n'):format(last) or ''))
end

--- Ends the response with a tool call.
function Script:call(id, tool, arguments)
  local call = { index = 0, id = id, type = 'function', ['function'] = { name = tool, arguments = arguments } }
  close(self, M.chunk({ tool_calls = { call } }, 'tool_calls'))
end

--- The last message that the model got from the person.
function Script:question()
  local messages = self.requests[#self.requests].messages
  for i = #messages, 1, -1 do
    if messages[i].role == 'user' then
      return messages[i].content
    end
  end
end

return M
