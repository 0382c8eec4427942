-- A second Neovim after basics.lua, in the same workspace with the same state folder: the open proposal is still there.

local t = dofile(os.getenv('PLOKE_PLUGIN') .. '/test/harness.lua')

local function proposal()
  vim.cmd('edit main.go')
  vim.cmd('Ploke diff')
  t.eventually('a proposal of the earlier server is found', function()
    local proposed = vim.fn.bufnr('ploke://proposed/greet/greet.go')
    return vim.wo.diff and proposed > 0 and table.concat(t.lines(proposed), '\n'):find('\nfunc opening')
  end, function()
    return table.concat(t.lines(0), '\n')
  end)
  vim.cmd('tabclose')
  vim.cmd('Ploke accept')
  t.eventually('accepting it changes a file that was not open', function()
    return vim.fn.bufnr('greet/greet.go') > 0 and t.text('greet/greet.go'):find('func opening', 1, true)
  end)
  t.settles('the change is there', 'verified')
  t.check('which is not saved', not table.concat(vim.fn.readfile('greet/greet.go'), '\n'):find('func opening', 1, true))
end

t.run { proposal }
