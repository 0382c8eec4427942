-- The configuration of Neovim in the tests: only this plugin and the server under test.
vim.o.laststatus = 2
vim.o.statusline = "%f %=%{get(g:, 'ploke_status', '')}"
vim.cmd('filetype plugin indent on')
vim.opt.runtimepath:prepend(os.getenv('PLOKE_PLUGIN'))
require('ploke').setup { cmd = { os.getenv('PLOKE_BINARY'), 'serve' } }
vim.cmd('runtime plugin/ploke.lua')
