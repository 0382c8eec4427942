-- Neovim loads this file at startup. It defines the :Ploke command and the <Plug> mappings, and attaches file
-- buffers to the server. Most modules are loaded on first use.

if vim.g.loaded_ploke then
  return
end
vim.g.loaded_ploke = true

vim.api.nvim_create_user_command('Ploke', function(opts)
  require('ploke.command').run(opts)
end, {
  nargs = '*',
  range = true,
  desc = 'ploke: ask, steer, stop, allow, deny, diff, accept, reject, list, new and more',
  complete = function(lead, line)
    return require('ploke.command').complete(lead, line)
  end,
})

require('ploke.keys').define()
require('ploke.lsp_servers').follow()

-- The file type, which didOpen sends, is set by now: Neovim registers filetype detection before it loads plugins.
vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile', 'BufFilePost' }, {
  group = vim.api.nvim_create_augroup('ploke', {}),
  callback = function(event)
    require('ploke.client').attach(event.buf)
  end,
})

for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
  if vim.api.nvim_buf_is_loaded(bufnr) then
    require('ploke.client').attach(bufnr)
  end
end
