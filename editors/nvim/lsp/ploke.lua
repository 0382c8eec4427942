-- Neovim 0.11 and newer reads this file for vim.lsp.enable('ploke'), which then starts the server in the place of
-- the plugin. require('ploke').setup has the settings.

local client = require('ploke.client')

return vim.tbl_extend('force', client.options(), {
  root_dir = function(bufnr, on_dir)
    local root = client.root_of(bufnr)
    if root then
      on_dir(root)
    end
  end,
})
