-- Starts ploke-lsp for the files of a git work tree, unless the plugin does so.
vim.api.nvim_create_autocmd('FileType', {
  callback = function(event)
    if vim.g.loaded_ploke or vim.bo[event.buf].buftype ~= '' then
      return
    end
    local folder = vim.fs.dirname(vim.api.nvim_buf_get_name(event.buf))
    local git = vim.fs.find('.git', { upward = true, path = folder })[1]
    if git then
      vim.lsp.start({ name = 'ploke', cmd = { 'ploke-lsp', 'serve' }, root_dir = vim.fs.dirname(git) })
    end
  end,
})
