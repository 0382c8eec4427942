--- The prompt's text on disk, so that the next Neovim in the same folder has it.

local M = {}

local uv = vim.uv or vim.loop

local stored -- the text in the file, once it is known

local function path()
  return ('%s/ploke/draft-%s.json'):format(vim.fn.stdpath('data'), vim.fn.sha256(vim.fn.getcwd()):sub(1, 16))
end

--- Stores a draft, or removes the file if the text is empty.
--- @param text string
--- @param labels table<string, ploke.Attachment> as chat_mentions has them
function M.save(text, labels)
  if text == stored then
    return
  end
  stored = text
  local file = path()
  if text == '' then
    uv.fs_unlink(file)
    return
  end
  vim.fn.mkdir(vim.fn.fnamemodify(file, ':h'), 'p')
  local new = ('%s.%d'):format(file, vim.fn.getpid())
  if vim.fn.writefile({ vim.json.encode({ text = text, labels = labels }) }, new, 's') == 0 then
    uv.fs_rename(new, file)
  end
end

--- @return { text: string, labels: table<string, ploke.Attachment> }|nil
function M.load()
  if vim.fn.filereadable(path()) == 0 then
    return nil
  end
  local ok, draft = pcall(vim.json.decode, table.concat(vim.fn.readfile(path()), '\n'))
  if ok and type(draft) == 'table' and type(draft.text) == 'string' then
    stored = draft.text
    return draft
  end
end

return M
