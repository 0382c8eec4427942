-- The configuration that the tests start Neovim with: this plugin and the server under test, no more.
vim.o.laststatus = 2
vim.o.statusline = "%f %=%{get(g:, 'ploke_status', '')}"
vim.cmd('filetype plugin indent on')
vim.opt.runtimepath:prepend(os.getenv('PLOKE_PLUGIN'))
require('ploke').setup { cmd = { os.getenv('PLOKE_BINARY'), 'serve' } }
vim.cmd('runtime plugin/ploke.lua')
