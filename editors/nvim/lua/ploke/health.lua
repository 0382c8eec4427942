--- :checkhealth ploke

local M = {}

local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local err = health.error or health.report_error

local function check_program(program)
  if vim.fn.executable(program) == 0 then
    err(program .. ' is not executable', {
      'build ploke-lsp and put it into $PATH',
      'or name it: require("ploke").setup { cmd = { "/path/to/ploke-lsp", "serve" } }',
    })
    return
  end
  local version = vim.fn.system({ program, 'version' })
  if vim.v.shell_error == 0 then
    ok(('%s: %s'):format(vim.fn.exepath(program), vim.trim(version)))
  else
    err(('%s version failed: %s'):format(program, vim.trim(version)), { 'build ploke-lsp again' })
  end
end

local function check_servers(running)
  if #running == 0 then
    warn('no server runs', { 'open a file inside a git work tree or below the current folder, or use :Ploke ask' })
  end
  for _, server in ipairs(running) do
    local state = server.client and require('ploke.client').encoding(server) or 'not initialized yet'
    ok(('server for %s (client %s, %s)'):format(server.root, server.id or 'starting', state))
  end
end

function M.check()
  start('ploke')
  if vim.fn.has('nvim-0.7') == 1 then
    ok('Neovim is 0.7 or newer')
  else
    err('Neovim is older than 0.7', { 'install a newer one' })
  end
  check_program(require('ploke.config').get().cmd[1])
  check_servers(require('ploke.client').running())
  ok('the log of Neovim\'s language clients is ' .. require('vim.lsp.log').get_filename())
end

return M
