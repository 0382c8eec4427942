-- The plugin beside vim.lsp.enable, of Neovim 0.11 and newer: there is one client, whoever starts it. In an older
-- Neovim, a copy of what vim.lsp.enable does stands in for it.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')

local messages = {}
vim.notify = function(message)
  table.insert(messages, message)
end

-- The clients of ploke-lsp, initialized or not.
local function clients()
  local found = {}
  for id = 1, 50 do
    local client = vim.lsp.get_client_by_id(id)
    if client and client.name == 'ploke' then
      table.insert(found, client)
    end
  end
  return found
end

local function start(bufnr, config)
  for _, client in ipairs(clients()) do
    if client.config.root_dir == config.root_dir then
      vim.lsp.buf_attach_client(bufnr, client.id)
      return
    end
  end
  vim.lsp.buf_attach_client(bufnr, vim.lsp.start_client(config))
end

local function enable()
  if vim.lsp.enable then
    vim.lsp.enable('ploke')
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    callback = function(event)
      if vim.api.nvim_buf_get_option(event.buf, 'buftype') ~= '' then
        return
      end
      local files = vim.api.nvim_get_runtime_file('lsp/ploke.lua', true)
      local config = vim.tbl_deep_extend('force', {}, assert(loadfile(files[1]))())
      config.root_dir(event.buf, function(root)
        config.root_dir = root
        vim.schedule(function()
          start(event.buf, config)
        end)
      end)
    end,
  })
end

local function setup(autostart)
  require('ploke').setup { cmd = { os.getenv('PLOKE_BINARY'), 'serve' }, autostart = autostart }
end

--- Waits until what is scheduled has run: vim.lsp.enable starts a client that way, after the buffer's event.
local function settle()
  local done
  vim.schedule(function() done = true end)
  vim.wait(20000, function() return done end)
end

local function stop()
  settle()
  for _, client in ipairs(clients()) do
    require('ploke.client').call(client, 'stop')
  end
  t.eventually('the server ends', function()
    return #clients() == 0 and #require('ploke.client').running() == 0
  end)
  vim.cmd('silent! %bwipeout!')
end

local function attached(bufnr)
  return #clients() == 1 and vim.lsp.buf_is_attached(bufnr, clients()[1].id)
end

local function enabled_alone()
  setup(false)
  vim.cmd('edit main.go')
  t.eventually('vim.lsp.enable starts a client', function()
    return #clients() == 1
  end)
  vim.cmd('Ploke ask who calls Greeting') -- while it is not initialized
  t.eventually('the plugin asks over that client', function()
    return t.answered('who calls Greeting') and t.answer('who calls Greeting'):find('main')
  end, t.chat_text)
  t.check('there is no second client', #clients() == 1, tostring(#clients()))
  vim.cmd('edit greet/greet.go')
  t.eventually('a second file is attached to it', function()
    return attached(vim.fn.bufnr('greet/greet.go'))
  end)
  stop()
end

local function both()
  setup(true)
  vim.cmd('edit main.go')
  local bufnr = vim.api.nvim_get_current_buf()
  t.eventually('the plugin starts a client, and vim.lsp.enable uses it', function()
    return attached(bufnr) and clients()[1].initialized ~= false
  end)
  t.eventually('the server becomes idle', t.idle)
  t.check('there is one client', #clients() == 1, tostring(#clients()))
  stop()
end

--- A client whose root folder is another than that of the plugin's setting, which only real vim.lsp.enable has.
local function another_root()
  setup(true)
  local root = vim.fn.getcwd() .. '/greet'
  vim.lsp.config('ploke', { root_dir = function(_, on_dir) on_dir(root) end })
  vim.cmd('edit greet/greet.go')
  local bufnr = vim.api.nvim_get_current_buf()
  t.eventually('the root folder is that of vim.lsp.config', function()
    return attached(bufnr) and clients()[1].config.root_dir == root
  end, function() return vim.inspect(vim.tbl_map(function(client) return client.config.root_dir end, clients())) end)
  settle()
  vim.cmd('Ploke ask who is Greeting')
  t.eventually('and the plugin asks over that client', function()
    return t.answered('who is Greeting')
  end, t.chat_text)
  t.check('as the only one', #clients() == 1, tostring(#clients()))
  local pid = vim.api.nvim_get_proc_children(vim.fn.getpid())[1]
  local id = clients()[1].id
  vim.uv.kill(pid, 'sigkill')
  t.eventually('it comes back with the same configuration after a kill', function()
    return attached(bufnr) and clients()[1].id ~= id and clients()[1].config.root_dir == root
  end, function() return vim.inspect(messages) end)
  stop()
end

local function late_setup()
  setup(false)
  vim.lsp.config('ploke', { root_dir = function(bufnr, on_dir) on_dir(require('ploke.client').root_of(bufnr)) end })
  t.check('the configuration is known before the setup', vim.lsp.config.ploke.cmd[3] == nil)
  require('ploke').setup { cmd = { os.getenv('PLOKE_BINARY'), 'serve', '--stdio' } }
  vim.cmd('edit main.go')
  t.eventually('a setup after vim.lsp.enable counts', function()
    return #clients() == 1 and clients()[1].config.cmd[3] == '--stdio'
  end)
  t.eventually('the server becomes idle', t.idle)
  stop()
end

local function another_configuration()
  if vim.lsp.enable then
    vim.lsp.enable('ploke', false)
  end
  setup(false)
  local root = vim.fn.getcwd()
  local ready
  vim.lsp.start_client {
    name = 'ploke',
    cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
    root_dir = root,
    on_init = function()
      vim.schedule(function()
        ready = true
      end)
    end,
  }
  t.eventually('a client without a chat starts', function()
    return ready
  end)
  messages = {}
  vim.cmd('Ploke ask anything')
  t.check('the plugin says that the client has no chat', table.concat(messages, '\n'):find('another configuration'), vim.inspect(messages))
  t.check('and starts no second one', #clients() == 1, tostring(#clients()))
end

enable()
if vim.lsp.config then
  t.run { enabled_alone, both, another_root, late_setup, another_configuration }
else
  t.run { enabled_alone, both, another_configuration }
end
