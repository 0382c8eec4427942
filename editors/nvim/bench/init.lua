-- The Neovim that is measured: the plugin, and a chat that fills itself before the keys are typed. The status line tells
-- main.py how far it is.

vim.o.laststatus = 2
vim.o.statusline = '%{g:bench}'
vim.o.termguicolors = true
vim.g.bench = 'starting'
vim.cmd('filetype plugin indent on | syntax on')
vim.opt.runtimepath:prepend(os.getenv('PLOKE_PLUGIN'))
local ploke = require('ploke')
ploke.setup {
  cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
  settings = { model = 'bench/model', providers = { bench = { type = 'openai', baseUrl = os.getenv('BENCH_MODEL') } } },
}
vim.cmd('runtime plugin/ploke.lua')

local messages = tonumber(os.getenv('BENCH_MESSAGES'))
local asked = 0

local function ask()
  asked = asked + 1
  ploke.ask(('short question %d'):format(asked))
end

vim.api.nvim_create_autocmd('User', {
  pattern = 'PlokeTurnEnd',
  callback = vim.schedule_wrap(function()
    if asked < messages / 2 then
      return ask()
    end
    vim.g.bench = vim.g.bench == 'streams' and 'ended' or 'filled'
    vim.cmd('redrawstatus!')
  end),
})

-- Asks for the long answer, while the cursor is in the file or in the prompt.
vim.api.nvim_create_user_command('Bench', function(opts)
  vim.g.bench = 'streams'
  ploke.ask('the long answer')
  if opts.args == 'prompt' then
    ploke.open()
    vim.cmd('normal! G')
  end
end, { nargs = 1 })

vim.api.nvim_create_autocmd('VimEnter', { callback = ask })
