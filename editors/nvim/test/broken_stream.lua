-- An answer that breaks off: a scripted model on loopback sends less than its header announces, and the server retries.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')

local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/model.lua')
local chunk = model.chunk

local function snippet(file, line, code)
  return ('<code="%s" #%d:%d>\n%s\n</code>\n'):format(file, line, line, code)
end

local look = { index = 0, id = 'look', type = 'function', ['function'] = { name = 'request_code_context', arguments = '{"hint": "Greeting"}' } }
local answers = {
  chunk({ content = 'Let me look.' }) .. chunk({ tool_calls = { look } }, 'tool_calls'),
  chunk({ content = 'Half an answer:\n' .. snippet('greet/greet.go', 6, 'func Greeting') .. 'with\n```go\nan open' }),
  chunk({ content = 'A whole answer:\n' .. snippet('main.go', 10, 'func main') }, 'stop'),
}

--- Serves the answers in order. The second one is shorter than its header announces.
--- @return string base URL
--- @return fun() break_off ends the connection of the second one
local function serve()
  local asked, held = 0, nil
  local function reply(connection)
    asked = asked + 1
    local answer = answers[asked] .. 'data: [DONE]\n\n'
    local head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\nContent-Length: %d\r\n\r\n'
    connection:write(head:format(#answer) .. (asked == 2 and answers[2] or answer))
    held = asked == 2 and connection or held
  end
  return model.serve(reply), function()
    held:close()
  end
end

--- The names of the symbols that the lines of the chat cite.
local function cited()
  local names = {}
  for row = 0, vim.api.nvim_buf_line_count(t.chat()) - 1 do
    local found = require('ploke.chat_places').at(row)
    names[found and found.citation and found.citation.canon or ''] = true
  end
  names[''] = nil
  return vim.tbl_keys(names)
end

local function breaking()
  local url, break_off = serve()
  require('ploke').setup {
    cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
    settings = { model = 'scripted/model', providers = { scripted = { type = 'openai', baseUrl = url } } },
  }
  t.indexed()
  vim.cmd('Ploke ask talk')
  t.eventually('half an answer is shown', function()
    return t.answer('talk'):find('an open', 1, true) and t.answer('talk'):find('\n› request_code_context: ')
  end, t.chat_text)
  t.eventually('and its citations, which come after it', function()
    return vim.deep_equal(cited(), { 'Greeting' })
  end, function()
    return vim.inspect(cited())
  end)
  break_off()
  t.eventually('the whole answer is shown', function()
    return t.idle() and t.answer('talk'):find('A whole answer', 1, true)
  end, t.chat_text)
  t.save('nvim-broken.txt', t.chat())
  t.check('the half answer is removed', not t.chat_text():find('Half an answer', 1, true), t.chat_text())
  t.check('and so are its citations', vim.deep_equal(cited(), { 'main' }), vim.inspect(cited()))
  t.check('the earlier text and the tool call are shown once',
    select(2, t.chat_text():gsub('Let me look', '')) == 1 and select(2, t.chat_text():gsub('\n› request_code_context: ', '')) == 1, t.chat_text())
  t.check('without a gap', not t.chat_text():find('\n\n\n', 1, true), t.chat_text())
end

t.run { breaking }
