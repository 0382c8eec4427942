--- How a server ends: on purpose, or by itself. One that has ended by itself starts again, after pauses that grow while
--- it keeps ending.

local say = require('ploke.say')

local M = {}

local first_pause, longest_pause = 500, 30000 -- milliseconds
local attempts = 8 -- in a row
local long_life = 60000 -- milliseconds, after which a server counts as one that works

local interrupted = 130 -- the status of ploke-lsp after a signal to end
local terminated = 15 -- the signal with which Neovim stops a server

local tries = {} -- root folder -> how often the server was started again in a row

--- @return boolean whether a person or a plugin has stopped the server
function M.on_purpose(code, signal)
  return code == interrupted or signal == terminated or code == 0 and signal == 0 or vim.v.exiting ~= vim.NIL
end

--- @return string how the server has ended, for a message
function M.describe(code, signal)
  return signal ~= 0 and 'signal ' .. signal or 'status ' .. code
end

--- Returns how long to wait before the server of a root folder starts again, in milliseconds; nil to give up.
--- @param root string
--- @param lived number how long the server has run, in milliseconds
function M.pause(root, lived)
  local try = lived >= long_life and 0 or tries[root] or 0
  tries[root] = try + 1
  return try < attempts and math.min(first_pause * 2 ^ try, longest_pause) or nil
end

--- @return boolean whether the server of a root folder was started again in vain
function M.repeated(root)
  return (tries[root] or 0) > 1
end

--- Forgets earlier ends, as when the user starts the server.
function M.forget(root)
  tries[root] = nil
end

--- Drops the message with which Neovim reports the end of a client. Ours says what happens next, and fits on the
--- command line.
function M.drop_report(code, signal)
  if code ~= 0 or (signal ~= 0 and signal ~= terminated) then -- which Neovim reports
    say.drop('^Client .* quit with exit code')
  end
end

return M
