-- :checkhealth ploke where things do not work: a model without a key, a mistake in the settings, a missing program.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local check = t.check

local function report()
  vim.cmd('checkhealth ploke')
  return table.concat(t.lines(0), '\n')
end

local function says(text, pattern)
  check('it says: ' .. pattern, text:find(pattern), text)
end

local function without_a_server()
  require('ploke').setup { cmd = { '/nonexistent/ploke-lsp', 'serve' } }
  local text = report()
  says(text, 'ERROR:? /nonexistent/ploke%-lsp is not executable')
  says(text, 'no server runs')
end

local function without_a_key()
  require('ploke').setup {
    cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
    settings = { model = 'shut/model', modle = 'x', providers = { shut = { type = 'openai', apiKeyEnv = 'MISSING' } } },
  }
  vim.cmd('edit main.go')
  t.indexed()
  local text = report()
  says(text, 'ERROR:? model: the provider "shut" has no key')
  says(text, 'in a terminal: .*MISSING.*YOUR%-KEY')
  says(text, 'WARN[ING]*:? settings: .*modle')
  says(text, 'OK:? index: the index is ready')
  t.save('nvim-health-problems.txt', 0)
end

t.run { without_a_server, without_a_key }
