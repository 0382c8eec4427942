--- Every setting of the plugin, its default and what it means: this table is the manual.
--- `setup` refuses names that are not in it.

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

--- The git work tree that holds the file, else the current folder if the file is below it.
--- The home folder and / are no roots: nobody wants all of them indexed by accident.
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

  -- Whether opening a file starts the server and so the indexing; otherwise the first :Ploke does.
  autostart = true,

  -- The folder that the server gets for a file: function(absolute path) -> folder, or nil to leave
  -- the file alone. The default is the git work tree, else the current folder.
  root = default_root,

  -- The server's own settings: model, providers, limits, index, edits, checks (see the README of ploke-lsp).
  settings = {},

  -- The command that opens the window of the chat and that of a diff.
  split = 'botright vsplit',
}

local current = vim.deepcopy(defaults)

--- Replaces the defaults by what `opts` names.
function M.set(opts)
  for name, value in pairs(opts) do
    if defaults[name] == nil then
      error(('ploke: unknown setting %q, known are: %s'):format(name, table.concat(M.names(), ', ')), 0)
    end
    if type(value) ~= type(defaults[name]) then
      error(('ploke: setting %s must be a %s'):format(name, type(defaults[name])), 0)
    end
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
