-- A scripted model that proposes changes: for a question it calls tools, and then says that it is done.

local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/model.lua')

local M = {}

M.questions = {} -- what the model was asked

local header = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n'

local function finish(connection, events)
  connection:write(header .. events .. 'data: [DONE]\n\n', function()
    connection:close()
  end)
end

--- Returns the last question, and whether it was followed by the result of a tool.
local function read(body)
  local question, called
  for _, message in ipairs(vim.json.decode(body).messages) do
    question, called = message.role == 'user' and message.content or question, message.role == 'tool'
  end
  return question, called
end

--- Lets the server use this model.
--- @param scripts table<string, table[]> the tool calls { name, arguments } for questions that contain a text
function M.use(scripts)
  local function reply(connection, body)
    local question, called = read(body)
    local calls = {}
    for words, script in pairs(scripts) do
      for i, call in ipairs(not called and question:find(words, 1, true) and script or {}) do
        local arguments = vim.json.encode(call[2])
        table.insert(calls, { index = i - 1, id = words .. i .. #M.questions, type = 'function', ['function'] = { name = call[1], arguments = arguments } })
      end
    end
    if #calls > 0 then
      table.insert(M.questions, question)
      return finish(connection, model.chunk({ tool_calls = calls }, 'tool_calls'))
    end
    finish(connection, model.chunk({ content = 'Done.' }, 'stop'))
  end
  vim.env.PLOKE_BASE_URL, vim.env.PLOKE_API_KEY, vim.env.PLOKE_MODEL = model.serve(reply), 'none', 'scripted'
end

--- Returns a tool call that replaces a text in a file.
function M.replace(file, old, new)
  return { 'apply_code_edit', { edits = { { mode = 'replace', file = file, old = old, new = new } } } }
end

return M
