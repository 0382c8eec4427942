-- A scripted model that begins an answer with the words of the question and holds it until go_on().

local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/model.lua')

local M = {}

local header = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n'
local held -- the connection of the current answer

M.asked = {} -- the questions that the model got

local function reply(connection, body)
  local question
  for _, message in ipairs(vim.json.decode(body).messages) do
    question = message.role == 'user' and message.content or question
  end
  question = question:match('([^\n]+)%s*$')
  table.insert(M.asked, question)
  connection:write(header .. model.chunk({ content = 'Answer to ' .. question }))
  held = connection
end

--- Ends the answer.
function M.go_on()
  local connection = held
  connection:write(model.chunk({ content = '.' }, 'stop') .. 'data: [DONE]\n\n', function()
    connection:close()
  end)
end

--- Sets the plugin up with this model.
--- @param settings table|nil further settings of the plugin
function M.setup(settings)
  require('ploke').setup(vim.tbl_extend('force', {
    cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
    settings = { model = 'scripted/model', providers = { scripted = { type = 'openai', baseUrl = model.serve(reply) } } },
  }, settings or {}))
end

return M
