-- What the code means, as a real gopls knows it that runs in Neovim beside ploke-lsp.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local neovim_lsp = require('ploke.neovim_lsp')
local check, eventually = t.check, t.eventually

local function write(name, text)
  vim.fn.mkdir(vim.fn.fnamemodify(name, ':h'), 'p')
  vim.fn.writefile(vim.split(text, '\n'), name)
end

write('shapes/shapes.go', [[
package shapes

// Shape has an area.
type Shape interface{ Area() int }

type Circle struct{ r int }

func (c Circle) Area() int { return 3 * c.r * c.r }

// Land has an area, too, but is no shape.
type Land struct{}

func (l *Land) Area(unit string) int { return len(unit) }

// Sum adds areas.
func Sum(all []Shape) (sum int) {
	for _, s := range all {
		sum += s.Area()
	}
	return sum
}
]])
write('shapes/use.go', [[
package shapes

func use() int { return Circle{1}.Area() + (&Land{}).Area("m") }

var _ Shape = Circle{}
]])

write('measure.py', 'def measure(side):\n    return side * side\n')
write('total.py', 'from measure import measure\n\nprint(measure(2))\n')

local gopls

--- Starts gopls as a user's configuration does.
local function start(bufnr)
  gopls = neovim_lsp.launch { name = 'gopls', cmd = { os.getenv('GOPLS') }, root_dir = vim.fn.getcwd(), cmd_env = { GOPROXY = 'off' } }
  vim.lsp.buf_attach_client(bufnr, gopls)
end

local function described()
  local client = vim.lsp.get_client_by_id(gopls)
  return client and client.initialized and require('ploke.lsp_servers').describe(client) or {}
end

--- Waits for the first answer of a server, which takes long on a busy machine.
local function warm(file, method, line, character)
  local bufnr = vim.fn.bufnr(file)
  vim.lsp.buf_request_sync(bufnr, method, {
    textDocument = { uri = vim.uri_from_bufnr(bufnr) }, position = { line = line, character = character },
    context = { includeDeclaration = true },
  }, 60000)
end

--- Waits until gopls has read the project, and has checked the types of all that it imports.
local function read_by_then()
  eventually('gopls reads the project', function()
    return vim.tbl_contains(described().ended or {}, 'Setting up workspace')
  end, function() return vim.inspect(described()) end)
  warm('shapes/shapes.go', 'textDocument/implementation', 3, 22)
end

--- Asks, and waits for the answer.
local function ask(question)
  vim.cmd('Ploke ask ' .. question)
  eventually(question .. ': is answered', function()
    return t.answered(question) and t.idle()
  end, t.chat_text)
  return t.answer(question)
end

local function says(question, patterns)
  local answer = ask(question)
  for _, pattern in ipairs(patterns) do
    check(('%s: %s'):format(question, pattern), answer:find(pattern), answer)
  end
  return answer
end

local version = vim.version()
local by_gopls = ('The places are those of gopls[ v%%d.]* in Neovim %d%%.%d%%.'):format(version.major, version.minor)

--- Calls back once, right after gopls was asked for references, before it has answered.
local function when_asked(callback)
  local rpc = vim.lsp.get_client_by_id(gopls).rpc
  local request, asked = rpc.request, 0
  rpc.request = function(method, ...)
    local sent, id = request(method, ...)
    if method == 'textDocument/references' then
      asked = asked + 1
      if asked == 1 then
        callback()
      end
    end
    return sent, id
  end
  return function()
    rpc.request = request
    return asked
  end
end

local function beside()
  vim.cmd('edit shapes/shapes.go')
  t.indexed()
  start(vim.api.nvim_get_current_buf())
  read_by_then()
  local answer = says('who calls Shape.Area?', { 'shapes/shapes%.go:18', 'shapes/use%.go:3', '2 places', by_gopls })
  check('the lines have no other place', not answer:find('shapes%.go:13'), answer)
end

local function of_a_file_that_is_not_open()
  vim.cmd('wincmd p')
  says('who calls Greeting?', { 'main%.go:11', by_gopls })
  check('no file stays open for that', vim.fn.bufexists('greet/greet.go') == 0 and vim.fn.bufexists('main.go') == 0)
end

local function unsaved()
  local bufnr = vim.fn.bufnr('shapes/shapes.go')
  vim.api.nvim_buf_set_lines(bufnr, 0, 0, false, { '// Package shapes has shapes 🔵.', '' })
  local last = vim.api.nvim_buf_line_count(bufnr)
  vim.api.nvim_buf_set_lines(bufnr, last, last, false, { '', 'func /* 🔵 */ more(s Shape) int { return /* 🔵 */ s.Area() }' })
  says('what calls Shape.Area?', { 'shapes/shapes%.go:20', 'shapes/shapes%.go:26', '3 places', by_gopls })
end

local function typed_while_it_answers()
  local bufnr = vim.fn.bufnr('shapes/shapes.go')
  local asked = when_asked(function()
    vim.api.nvim_buf_set_lines(bufnr, 1, 1, false, { '//', '// And more.' })
  end)
  says('list the callers of Shape.Area', { 'shapes/shapes%.go:22', 'shapes/shapes%.go:28', by_gopls })
  check('it is asked once more', asked() == 2, tostring(asked()))
end

local function renamed()
  vim.cmd('wincmd p')
  says('rename Shape.Area and its implementers to Size', { 'The places are those of gopls' })
  vim.cmd('Ploke accept')
  eventually('an accepted rename changes the files', function()
    return t.text('shapes/shapes.go'):find('s%.Size%(%) }') and t.text('shapes/shapes.go'):find('Circle%) Size')
  end, function() return t.text('shapes/shapes.go') end)
  local text = t.text('shapes/shapes.go')
  check('it has all places', select(2, text:gsub('Size', '')) == 4, text)
  check('another method of the name stays', text:find('Land) Area', 1, true), text)
  eventually('it changes the other file', function()
    return vim.fn.bufexists('shapes/use.go') == 1 and t.text('shapes/use.go'):find('Circle{1}.Size() + (&Land{}).Area("m")', 1, true)
  end, function() return vim.api.nvim_exec('ls!', true) .. t.text('shapes/use.go') .. table.concat(vim.fn.readfile('shapes/use.go'), '\n') end)
end

--- Tells what a server tells that reads the project.
local function tell(kind)
  vim.lsp.handlers['$/progress'](nil, { token = 'again', value = { kind = kind, title = 'Loading packages' } }, { client_id = gopls })
end

local function not_ready()
  tell('begin')
  says('who calls Shape.Size?', { '`more`', 'found by name, since gopls[ v%d.]* in Neovim [%d.]+ does not say that it has read the project' })
  tell('end')
  says('what calls Shape.Size?', { by_gopls })
end

local function killed_in_the_middle()
  local began = vim.loop.now()
  when_asked(function() vim.lsp.stop_client(gopls, true) end)
  says('list the callers of Shape.Size', { '`more`', 'found by name, since Neovim [%d.]+ has no answer: gopls has ended' })
  check('nobody waits for it', vim.loop.now() - began < 10000, tostring(vim.loop.now() - began))
  says('list the callers of Circle.Size', { '`more`', 'The index finds places by their names' })
  start(vim.fn.bufnr('shapes/shapes.go'))
  read_by_then()
  says('who calls Circle.Size?', { by_gopls })
end

--- pyright does not say when it has read the project. It is believed since it knows what the index knows.
local function silent()
  vim.cmd('silent edit measure.py')
  local id = neovim_lsp.launch { name = 'pyright', cmd = { os.getenv('PYRIGHT'), '--stdio' }, root_dir = vim.fn.getcwd() }
  vim.lsp.buf_attach_client(vim.api.nvim_get_current_buf(), id)
  eventually('pyright starts', function()
    local client = vim.lsp.get_client_by_id(id)
    return client and client.initialized
  end)
  warm('measure.py', 'textDocument/references', 0, 4)
  says('who calls measure?', { 'total%.py:3', 'The places are those of pyright in Neovim' })
end

local function refused()
  local answer = require('ploke.lsp_bridge').ask({ method = 'workspace/executeCommand', server = tostring(gopls), params = {},
    uri = vim.uri_from_fname(vim.fn.fnamemodify('shapes/shapes.go', ':p')) }, 0)
  check('a command is not asked for', answer.failure == 'workspace/executeCommand is not asked for others', vim.inspect(answer))
end

t.run { beside, of_a_file_that_is_not_open, unsaved, typed_while_it_answers, renamed, not_ready, killed_in_the_middle, silent, refused }
