--- :Ploke and its subcommands.

local say = require('ploke.say')

local M = {}

--- Returns the lines of the command's range as an attachment, which has the lines that its range touches.
local function lines_of(opts)
  return {
    uri = vim.uri_from_bufnr(0),
    range = { start = { line = opts.line1 - 1, character = 0 }, ['end'] = { line = opts.line2 - 1, character = 0 } },
  }
end

local function ask(question, opts)
  local attachment = opts.range > 0 and lines_of(opts) or nil
  if question ~= '' then
    require('ploke.turns').ask({ text = question, attachments = { attachment } })
  else
    require('ploke.chat').write(attachment)
  end
end

--- Steers the running answer, with the message in the prompt if there is no other.
local function steer(message, opts)
  if message == '' then
    require('ploke.chat').open()
    require('ploke.chat_prompt').send(true)
  else
    require('ploke.turns').ask({ text = message, attachments = { opts.range > 0 and lines_of(opts) or nil }, steers = true })
  end
end

-- The answers to a permission request, by verb and argument.
local answers = {
  allow = { [''] = 'allowOnce', always = 'allowAlways', exactly = 'allowExact' },
  deny = { [''] = 'rejectOnce', always = 'rejectAlways' },
}

--- Answers the oldest open permission request.
local function answer(verb)
  return function(args)
    if not answers[verb][args] then
      say.error(('use :Ploke %s or :Ploke %s always'):format(verb, verb))
      return
    end
    require('ploke.permission').answer(answers[verb][args])
  end
end

local uuid = '^%x+%-%x+%-%x+%-%x+%-%x+$'

-- What can be decided on besides a proposal.
local parts = { 'all', 'file', 'hunk' }

local function reject(args)
  if vim.tbl_contains(parts, args) then
    require('ploke.review_decide').decide('reject', args)
    return
  end
  local id, reason = args:match('^(%S*)%s*(.*)$')
  if not id:match(uuid) then
    id, reason = nil, args
  end
  require('ploke.proposal').reject(id, reason ~= '' and reason or nil)
end

local function accept(args)
  if vim.tbl_contains(parts, args) then
    require('ploke.review_decide').decide('accept', args)
  else
    require('ploke.proposal').accept(args ~= '' and args or nil)
  end
end

local function step(direction)
  return function(count)
    require('ploke.review_view').step(direction * (tonumber(count) or 1))
  end
end

local function describe(server)
  require('ploke.requests').index_status(server, function(index)
    local running = require('ploke.status').text():match('^ploke: (.*)') or 'idle'
    say.info(('%s; index %s: %d files, %d symbols'):format(running, index.state, index.files, index.symbols))
  end)
end

local index_actions = { 'pause', 'rebuild', 'resume' }

local function index(action)
  if not vim.tbl_contains(index_actions, action) then
    say.error('use :Ploke index ' .. table.concat(index_actions, ' or '))
    return
  end
  require('ploke.client').with(function(server)
    require('ploke.requests')['index_' .. action](server, function() describe(server) end)
  end)
end

local function optional(id)
  return id ~= '' and id or nil
end

--- Sends a built-in slash command, with words behind it.
local function slash(name)
  return function(words)
    require('ploke.turns').ask({ text = vim.trim(('/%s %s'):format(name, words)) })
  end
end

--- Runs the checks of a proposal: "tests" and its id may be among the arguments.
local function run_checks(args)
  local id, tests
  for _, word in ipairs(vim.split(args, '%s+', { trimempty = true })) do
    if word == 'tests' then
      tests = true
    else
      id = word
    end
  end
  require('ploke.evidence_view').check(id, tests)
end

local subcommands = {
  ask = ask,
  steer = steer,
  retry = function() require('ploke.branches').retry() end,
  revise = function() require('ploke.branches').revise() end,
  branch = function() require('ploke.branches').choose() end,
  model = function(id) require('ploke.model').choose(optional(id)) end,
  allow = answer('allow'),
  deny = answer('deny'),
  permissions = function() require('ploke.permission').manage() end,
  continue = function() require('ploke.last_conversation').continue() end,
  list = function(words) require('ploke.conversation').choose(words) end,
  rename = function(title) require('ploke.conversation').rename(title) end,
  delete = function() require('ploke.conversation').delete() end,
  export = function() require('ploke.conversation').export() end,
  undo = function(args) require('ploke.proposal').undo(optional(args)) end,
  redo = function(args) require('ploke.proposal').redo(optional(args)) end,
  stop = function() require('ploke.turns').stop() end,
  new = function() require('ploke.last_conversation').new() end,
  chat = function() require('ploke.last_conversation').open_chat() end,
  messages = function() say.open() end,
  diff = function(args) require('ploke.proposal').diff(optional(args)) end,
  edit = function(args) require('ploke.proposal').edit(optional(args)) end,
  accept = accept,
  problems = function(args) require('ploke.evidence_view').problems(optional(args)) end,
  evidence = function(args) require('ploke.evidence_view').open(optional(args)) end,
  check = run_checks,
  explain = function() require('ploke.tasks').explain() end,
  tests = function() require('ploke.tasks').tests() end,
  docs = function() require('ploke.tasks').docs() end,
  fix = function(words) require('ploke.tasks').fix(words) end,
  change = function(words, opts) require('ploke.change').lines(opts.line1, opts.line2, words) end,
  next = step(1),
  previous = step(-1),
  hunks = function() require('ploke.review_list').open() end,
  review = slash('review'),
  commit = slash('commit'),
  reject = reject,
  index = index,
  status = function() require('ploke.client').with(describe) end,
  log = function() vim.cmd('tabedit ' .. vim.fn.fnameescape(require('vim.lsp.log').get_filename())) end,
}

local takes_proposal = { diff = true, edit = true, accept = true, reject = true, problems = true, evidence = true, check = true }

local function names()
  local all = vim.tbl_keys(subcommands)
  table.sort(all)
  return all
end

--- Runs a :Ploke command line. Without a subcommand it opens the chat.
--- @param opts table as nvim_create_user_command passes it
function M.run(opts)
  local name, args = opts.args:match('^%s*(%S*)%s*(.-)%s*$')
  local subcommand = subcommands[name == '' and 'chat' or name]
  if not subcommand then
    say.error(('unknown subcommand %q, known are: %s'):format(name, table.concat(names(), ', ')))
    return
  end
  subcommand(args, opts)
end

--- The user's slash commands; none if the server does not answer at once.
local function slash_commands()
  local found
  require('ploke.client').with(function(server)
    require('ploke.requests').commands(server, function(result)
      found = vim.tbl_map(function(command) return '/' .. command.name end, result.commands)
    end)
  end)
  vim.wait(500, function() return found ~= nil end, 10)
  return found or {}
end

--- Completes subcommands and their arguments.
function M.complete(lead, line)
  local name = line:match('Ploke!?%s+(%S+)%s')
  local candidates = {}
  if not name then
    candidates = names()
  elseif takes_proposal[name] then
    candidates = require('ploke.proposal').open_ids()
    if name == 'accept' or name == 'reject' then
      candidates = vim.list_extend(vim.deepcopy(parts), candidates)
    elseif name == 'check' then
      table.insert(candidates, 1, 'tests')
    end
  elseif name == 'allow' then
    candidates = { 'always', 'exactly' }
  elseif name == 'deny' then
    candidates = { 'always' }
  elseif name == 'index' then
    candidates = index_actions
  elseif (name == 'ask' or name == 'steer') and line:match('Ploke!?%s+%S+%s+/%S*$') then
    candidates = slash_commands()
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
