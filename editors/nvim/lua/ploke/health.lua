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

local doctor_timeout = 60000 -- milliseconds; the doctor sends a tiny request to the model

local report = { ok = ok, warning = warn, error = err }

--- Reports what the server itself finds: its settings, index and state, the model and its key.
local function check_findings(server)
  local findings, problem
  require('ploke.requests').doctor(server, function(result)
    findings = result.findings
  end, function(failure)
    problem = failure.message
  end)
  vim.wait(doctor_timeout, function() return findings or problem end, 10)
  if not findings then
    err('the server can\'t check itself: ' .. (problem or 'it does not answer'), { ':Ploke log shows its output' })
  end
  for _, finding in ipairs(findings or {}) do
    local text = ('%s: %s'):format(finding.what, finding.text)
    if finding.command and finding.level ~= 'ok' then
      report[finding.level](text, { 'in a terminal: ' .. finding.command })
    else
      report[finding.level](text)
    end
  end
end

local function check_servers(running)
  if #running == 0 then
    warn('no server runs', { 'open a file inside a git work tree or below the current folder, or use :Ploke' })
  end
  for _, server in ipairs(running) do
    if server.client then
      ok(('a server runs for %s (client %d, positions in %s)'):format(server.root, server.id, require('ploke.client').encoding(server)))
      check_findings(server)
    else
      warn('the server for ' .. server.root .. ' is starting', { 'wait, and look again' })
    end
  end
end

local function check_neovim()
  local version = vim.version()
  local name = ('Neovim %d.%d.%d'):format(version.major, version.minor, version.patch)
  if vim.fn.has('nvim-0.7') == 1 then
    ok(name)
  else
    err(name .. ' is older than 0.7', { 'install a newer one' })
  end
end

function M.check()
  start('ploke')
  check_neovim()
  ok('the plugin speaks version ' .. require('ploke.protocol').version .. ' of the protocol')
  check_program(require('ploke.config').get().cmd[1])
  if require('ploke.neovim_lsp').enabled() then
    ok('vim.lsp.enable starts the servers')
  end
  check_servers(require('ploke.client').running())
  ok('the log of Neovim\'s language clients is ' .. require('vim.lsp.log').get_filename())
end

return M
