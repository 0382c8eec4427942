-- A second Neovim with the plugin, in which a test types keys as a person does: autocommands and modes are those of its
-- main loop, which a script in a headless Neovim does not run.

local M = {}

local Child = {}
Child.__index = Child

--- Starts one in the current folder.
--- @param options table for require('ploke').setup
function M.start(options)
  local argv = { vim.v.progpath, '--embed', '--headless', '-u', os.getenv('PLOKE_PLUGIN') .. '/test/init.lua', '-i', 'NONE', '-n' }
  local child = setmetatable({ channel = vim.fn.jobstart(argv, { rpc = true }) }, Child)
  child:lua([[
    vim.o.lines, vim.o.columns = 40, 150
    require('ploke').setup(...)
    _G.messages = {}
    vim.notify = function(message) table.insert(_G.messages, message) end
  ]], options)
  return child
end

--- Runs Lua code in it, and returns its result.
function Child:lua(code, ...)
  return vim.fn.rpcrequest(self.channel, 'nvim_exec_lua', code, { ... })
end

--- Types keys, and waits until they are done.
function Child:type(keys)
  local rest = keys
  while #rest > 0 do
    rest = rest:sub(1 + vim.fn.rpcrequest(self.channel, 'nvim_input', rest))
  end
  self:lua('return 1')
end

--- Returns the value of an expression of Lua.
function Child:get(expression, ...)
  return self:lua('return ' .. expression, ...)
end

--- The transcript of its chat.
function Child:transcript()
  return self:lua([[
    local buffer = require('ploke.chat_buffer')
    return buffer.get() and table.concat(buffer.lines(0, buffer.border()), '\n') or ''
  ]])
end

--- The text of its prompt.
function Child:prompt()
  return self:get("require('ploke.chat_prompt').text()")
end

--- What it shows behind the text of the prompt, in the order of the lines.
function Child:shown()
  return self:lua([[
    local buffer, words = require('ploke.chat_buffer'), {}
    local space = vim.api.nvim_get_namespaces()['ploke.chat.mentions']
    for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(buffer.get(), space, 0, -1, { details = true })) do
      table.insert(words, mark[4].virt_text[1][1])
    end
    return words
  ]])
end

--- Ends it at once, as a crash does, or as :qall does.
function Child:stop(how)
  if how == 'quit' then
    vim.fn.rpcnotify(self.channel, 'nvim_command', 'qall!')
  else
    vim.fn.jobstop(self.channel)
  end
  vim.fn.jobwait({ self.channel }, 10000)
end

return M
