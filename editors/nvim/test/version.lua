-- The plugin of another version than the server, in a headless Neovim: the server says so, and what every editor has works.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')

local protocol = require('ploke.protocol')
protocol.version, protocol.oldest_version = 9, 9
package.loaded['ploke.client_options'] = nil -- which may have read the version

local shown, notified = {}, {}
vim.notify = function(message)
  table.insert(message:find('is not answered') and notified or shown, message)
end

local function notice()
  vim.cmd('edit greet/greet.go')
  t.eventually('the server names both versions and what to update', function()
    return table.concat(shown):find('speaks version 9 of ploke\'s protocol, and ploke%-lsp version 1: update ploke%-lsp')
  end, function()
    return vim.inspect(shown)
  end)
  vim.cmd('Ploke ask What is Greeting?')
  t.eventually('a question fails with the same reason', function()
    return table.concat(notified):find('update ploke%-lsp') or t.chat_text():find('update ploke%-lsp')
  end, function()
    return vim.inspect(notified) .. t.chat_text()
  end)
  t.check('the notice comes once', #shown == 1, vim.inspect(shown))
end

local function code_actions()
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(),
    range = { start = { line = 6, character = 6 }, ['end'] = { line = 6, character = 6 } },
    context = { diagnostics = {} },
  }
  local found = vim.inspect(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 20000))
  t.check('code actions are offered', found:find('ploke: explain', 1, true), found)
end

t.run { notice, code_actions }
