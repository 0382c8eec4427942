-- :help ploke against the plugin: every command, key, highlight group, setting, event and function is documented, and
-- nothing else is.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local check = t.check
local keys = require('ploke.keys')

local help = table.concat(vim.fn.readfile(os.getenv('PLOKE_PLUGIN') .. '/doc/ploke.txt'), '\n')
local readme = table.concat(vim.fn.readfile(os.getenv('PLOKE_PLUGIN') .. '/README.md'), '\n')

local function has(what, text)
  check('the help has ' .. what, help:find(text, 1, true), text)
end

--- Returns the set of what a pattern captures in the help.
local function captures(text, pattern)
  local found = {}
  for capture in text:gmatch(pattern) do
    found[capture] = true
  end
  return found
end

local function commands()
  local known = {}
  local documented = captures('\n' .. help, '\n:%[?r?a?n?g?e?%]?Ploke (%l+)')
  for _, name in ipairs(vim.fn.getcompletion('Ploke ', 'cmdline')) do
    known[name] = true
    check(':Ploke ' .. name .. ' is documented', documented[name] or name == 'chat')
  end
  for name in pairs(documented) do
    check('the documented :Ploke ' .. name .. ' exists', known[name])
  end
  for name in pairs(captures(help .. readme, '`:Ploke (%l+)')) do
    check(':Ploke ' .. name .. ', which is mentioned, exists', known[name])
  end
end

--- A key as help texts write it.
local function written(key)
  return (key:gsub('<C%-(%a)>', function(letter) return 'CTRL-' .. letter:upper() end))
end

local function mappings()
  local known = {}
  for _, action in ipairs(keys.actions) do
    known[action.name] = true
    local tag = ('*<Plug>(ploke-%s)*'):format(action.name)
    local at = help:find(tag, 1, true)
    check(tag .. ' is documented', at)
    for _, key in ipairs(action.keys or {}) do
      local entry = at and help:sub(at, at + 500) or ''
      check(('with its key %s'):format(key), (' ' .. entry:gsub('%s', ' ')):find('[ ,]' .. vim.pesc(written(key)) .. '[ ,]'), entry)
    end
  end
  for name in pairs(captures(help, '%*<Plug>%(ploke%-([%w-]+)%)%*')) do
    check('the documented <Plug>(ploke-' .. name .. ') exists', known[name])
  end
end

local function highlights()
  for _, path in ipairs(vim.fn.glob(os.getenv('PLOKE_PLUGIN') .. '/lua/ploke/*.lua', true, true)) do
    local name = vim.fn.fnamemodify(path, ':t:r')
    require('ploke.' .. name)
    local source = table.concat(vim.fn.readfile(path), '\n')
    check(name .. '.lua speaks through say.lua', name == 'say' or not source:find('vim.notify(', 1, true))
    check('the README names ' .. name .. '.lua', readme:find('[`/]' .. name .. '%.lua`'))
  end
  require('ploke.highlights').define()
  local groups = vim.fn.getcompletion('Ploke', 'highlight')
  check('there are groups', #groups > 5, vim.inspect(groups))
  for _, group in ipairs(groups) do
    has('the group ' .. group, '*hl-' .. group .. '*')
  end
  for group in pairs(captures(help, '%*hl%-(Ploke%w+)%*')) do
    check('the documented group ' .. group .. ' exists', vim.fn.hlexists(group) == 1)
  end
end

local function settings()
  for _, name in ipairs(require('ploke.config').names()) do
    has('the setting ' .. name, '\n' .. name .. '  ')
  end
end

local function events()
  for _, name in ipairs(require('ploke.events').names) do
    has('the event ' .. name, '*' .. name .. '*')
  end
  for name in pairs(captures(help, '%*(Ploke%u%l+%u%l+)%*')) do
    check('the documented event ' .. name .. ' exists', vim.tbl_contains(require('ploke.events').names, name))
  end
end

local function functions()
  for name in pairs(require('ploke')) do
    has('the function ' .. name, ('*ploke.%s()*'):format(name))
  end
  for name in pairs(captures(help, '%*ploke%.(%w+)%(%)%*')) do
    check('the documented function ' .. name .. ' exists', require('ploke')[name])
  end
end

--- The help in a folder of its own, so that no file is written beside the sources.
local function tags()
  local doc = vim.fn.tempname() .. '/doc'
  vim.fn.mkdir(doc, 'p')
  vim.fn.writefile(vim.split(help, '\n'), doc .. '/ploke.txt')
  vim.cmd('helptags ' .. doc)
  vim.opt.runtimepath:prepend(vim.fn.fnamemodify(doc, ':h'))
  for _, subject in ipairs({ 'ploke', ':Ploke', 'ploke-keys', 'ploke-install', 'ploke-events', 'ploke-api', 'hl-PlokeNote', '<Plug>(ploke-change)' }) do
    local ok, err = pcall(vim.cmd, 'help ' .. subject)
    check(':help ' .. subject .. ' is found', ok and vim.fn.expand('%:t') == 'ploke.txt', err)
  end
  local widest = ''
  for _, line in ipairs(vim.split(help, '\n')) do
    local width = vim.fn.strdisplaywidth(line)
    widest = width > vim.fn.strdisplaywidth(widest) and line or widest
  end
  check('no line is wider than 79 columns', vim.fn.strdisplaywidth(widest) < 80, widest)
end

t.run { commands, mappings, highlights, settings, events, functions, tags }
