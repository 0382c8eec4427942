-- Starts ploke-lsp for the files of a git work tree, and for the documents that it writes, unless the plugin does so.
local clients, root = {}, nil
vim.api.nvim_create_autocmd('FileType', {
  callback = function(event)
    local name = vim.api.nvim_buf_get_name(event.buf)
    if vim.g.loaded_ploke or vim.bo[event.buf].buftype ~= '' or name == '' then
      return
    end
    local above = vim.fn.fnamemodify(name, ':p:h') .. ';'
    local folder, file = vim.fn.finddir('.git', above), vim.fn.findfile('.git', above)
    if folder .. file ~= '' then
      root = folder ~= '' and vim.fn.fnamemodify(folder, ':p:h:h') or vim.fn.fnamemodify(file, ':p:h')
    elseif not root or vim.bo[event.buf].filetype ~= 'markdown' then
      return -- only a chat and its answers lie outside
    end
    local config = { name = 'ploke', cmd = { 'ploke-lsp', 'serve' }, root_dir = root }
    if vim.lsp.start then
      vim.lsp.start(config, { bufnr = event.buf })
    else -- before Neovim 0.8
      local of = root
      config.on_exit = function() clients[of] = nil end
      clients[of] = clients[of] or vim.lsp.start_client(config)
      vim.lsp.buf_attach_client(event.buf, clients[of])
    end
  end,
})
