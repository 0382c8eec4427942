-- Starts ploke-lsp for the files of a git work tree, and for the documents that it writes, unless the plugin does so.
local clients, root = {}, nil
local understood = { ploke = { version = 1, methods = { 'ploke/client/diagnostics' } } }
-- Tells ploke-lsp what other servers report: Neovim 0.10 and newer do not pass that on when it is asked for a fix.
local function diagnostics(_, params, ctx)
  local encoding, documents = vim.lsp.get_client_by_id(ctx.client_id).offset_encoding, {}
  for _, buf in ipairs(params.uri and { vim.uri_to_bufnr(params.uri) } or vim.api.nvim_list_bufs()) do
    local function at(row, byte)
      local exists = row < vim.api.nvim_buf_line_count(buf)
      return { line = row, character = exists and vim.lsp.util.character_offset(buf, row, byte, encoding) or 0 }
    end
    table.insert(documents, { uri = vim.uri_from_bufnr(buf), diagnostics = vim.tbl_map(function(d)
      local range = { start = at(d.lnum, d.col), ['end'] = at(d.end_lnum or d.lnum, d.end_col or d.col) }
      return { range = range, severity = d.severity, code = d.code, source = d.source, message = d.message }
    end, vim.diagnostic.get(buf)) })
  end
  return { documents = documents }
end
-- Shows a message in one line: more would wait for a key.
local function message(text)
  text = text:gsub('%s*\n%s*', '; ')
  if vim.fn.strdisplaywidth(text) > vim.v.echospace then
    text = vim.fn.printf('%.' .. vim.v.echospace - 1 .. 'S', text) .. '…'
  end
  vim.cmd('redraw')
  vim.api.nvim_echo({ { text } }, true, {})
end
local handlers = {
  ['ploke/client/diagnostics'] = diagnostics,
  ['window/showMessage'] = function(_, params) message(params.message) end,
  ['workspace/executeCommand'] = function(err) return err and message('ploke: ' .. err.message) end,
}
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
    local config = { name = 'ploke', cmd = { 'ploke-lsp', 'serve' }, root_dir = root, handlers = handlers }
    config.capabilities = vim.lsp.protocol.make_client_capabilities()
    config.capabilities.textDocument.codeAction.disabledSupport = false -- Neovim would wait for a key below the reason
    for _, feature in ipairs(vim.fn.has('nvim-0.10') == 1 and { 'completion', 'documentSymbol', 'foldingRange' } or {}) do
      local declared = config.capabilities.textDocument[feature] or {}
      declared.dynamicRegistration = true -- for the documents that have it
    end
    config.init_options = { clientCapabilities = understood }
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
