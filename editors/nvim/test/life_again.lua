-- A second Neovim after life.lua, in the same workspace with the same state folder: the last conversation is there.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')
local model = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/held_model.lua')
local check, eventually = t.check, t.eventually

local function says(text)
  eventually('the chat says: ' .. text, function()
    return t.chat_text():find(text, 1, true)
  end, t.chat_text)
end

local function shown()
  vim.cmd('edit main.go')
  vim.cmd('Ploke')
  says('Answer to a new topic')
  says('> what was I saying') -- not its answer: the scripted model has ended with Neovim, and the server may have tried again
  t.save('nvim-restored.txt', t.chat())
  check('the chat has the focus', vim.api.nvim_get_current_buf() == t.chat())
  check('no earlier conversation is shown', not t.chat_text():find('are you there'), t.chat_text())
end

local function continued()
  vim.cmd('Ploke continue')
  eventually('the answer that Neovim left is resumed', function()
    return vim.deep_equal(model.asked, { 'Go on where you stopped.' })
  end, function() return vim.inspect(model.asked) end)
  model.go_on()
  eventually('it ends', t.idle)
end

model.setup()
t.run { shown, continued }
