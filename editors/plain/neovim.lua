-- The configuration of Neovim for scenario.sh: nothing but its own LSP client.
vim.o.laststatus = 2
local client = vim.lsp.start_client { name = 'ploke', cmd = { os.getenv('SERVER') }, root_dir = vim.fn.getcwd() }
vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  callback = function(event)
    vim.lsp.buf_attach_client(event.buf, client)
  end,
})
