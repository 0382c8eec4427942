--- The settings of the plugin, with their defaults and documentation. `setup` refuses names that are not
--- in this table.

local M = {}

local uv = vim.uv or vim.loop

local function git_root(dir)
  while true do
    if uv.fs_stat(dir .. '/.git') then
      return dir
    end
    local parent = vim.fn.fnamemodify(dir, ':h')
    if parent == dir then
      return nil
    end
    dir = parent
  end
end

--- Returns the git work tree of the file, else the current folder if it contains the file. The home
--- folder and / are never roots, so that they are not indexed by accident.
local function default_root(path)
  local root = git_root(vim.fn.fnamemodify(path, ':h'))
  if root then
    return root
  end
  local cwd = vim.fn.getcwd()
  local below = vim.startswith(path, cwd .. '/')
  return below and cwd ~= uv.os_homedir() and cwd or nil
end

local defaults = {
  -- The server's command line. A program without a slash is looked up in $PATH.
  cmd = { 'ploke-lsp', 'serve' },

  -- Environment variables for the server, e.g. { PLOKE_BASE_URL = 'http://localhost:11434/v1' }.
  cmd_env = {},

  -- Whether opening a file starts the server, and with it the indexing. If not, the first :Ploke does.
  autostart = true,

  -- The root folder for a file: function(absolute path) -> folder, or nil for a file without a server.
  -- The default is the git work tree, else the current folder.
  root = default_root,

  -- Settings of the server: model, providers, limits, index, edits, checks, mcp (see docs/settings.md of ploke-lsp).
  settings = {},

  -- The command that opens the windows of the chat and of a diff.
  split = 'botright vsplit',

  -- Other keys for actions, by the name of the action: a key, a list of keys, or false for none, e.g.
  -- { ['chat-close'] = '<Esc>', ['chat-follow'] = false }. `keys = false` turns all default keys off; the
  -- <Plug> mappings remain. lua/ploke/keys.lua has the actions and their keys.
  keys = {},
}

local current = vim.deepcopy(defaults)

--- Replaces the defaults with the values in `opts`.
function M.set(opts)
  for name, value in pairs(opts) do
    if defaults[name] == nil then
      error(('ploke: unknown setting %q, known are: %s'):format(name, table.concat(M.names(), ', ')), 0)
    end
    if type(value) ~= type(defaults[name]) and not (name == 'keys' and value == false) then
      error(('ploke: setting %s must be a %s'):format(name, type(defaults[name])), 0)
    end
  end
  local mistake = require('ploke.keys').mistake(opts.keys)
  if mistake then
    error('ploke: ' .. mistake, 0)
  end
  current = vim.tbl_extend('force', defaults, opts)
end

function M.names()
  local names = vim.tbl_keys(defaults)
  table.sort(names)
  return names
end

--- @return table the settings in force
function M.get()
  return current
end

return M
