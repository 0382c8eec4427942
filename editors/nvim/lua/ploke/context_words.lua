--- Words in a message that stand for what only Neovim has: the quickfix list, and the end of the newest terminal. The server knows
--- the others, such as @diff.

local M = {}

local terminal_lines = 200
local quickfix_items = 100

M.meanings = { ['@quickfix'] = 'the quickfix list', ['@terminal'] = 'the end of the newest terminal' }

local function quickfix()
  local lines = {}
  for i, item in ipairs(vim.fn.getqflist()) do
    if i > quickfix_items then
      table.insert(lines, '…')
      break
    end
    local name = item.bufnr > 0 and vim.fn.fnamemodify(vim.api.nvim_buf_get_name(item.bufnr), ':.') .. ':' .. item.lnum .. ': ' or ''
    table.insert(lines, name .. item.text)
  end
  return lines
end

--- Returns the last lines of the newest terminal, without what is empty at its end.
local function terminal()
  local newest
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local is_one = vim.api.nvim_buf_is_loaded(bufnr) and vim.api.nvim_buf_get_option(bufnr, 'buftype') == 'terminal'
    newest = is_one and bufnr or newest
  end
  local lines = newest and vim.api.nvim_buf_get_lines(newest, 0, -1, false) or {}
  while lines[#lines] == '' do
    table.remove(lines)
  end
  return vim.list_slice(lines, math.max(1, #lines - terminal_lines + 1), #lines)
end

local readers = { ['@quickfix'] = quickfix, ['@terminal'] = terminal }

--- Returns a message with what its words stand for below it.
--- @param text string
--- @return string
function M.expand(text)
  local expanded, seen = text, {}
  for word in (' ' .. text):gmatch('%s(@%a+)') do
    local lines = readers[word] and not seen[word] and readers[word]() or {}
    seen[word] = true
    if #lines > 0 then
      local block = table.concat(lines, '\n')
      local fence = '```'
      while block:find(fence, 1, true) do
        fence = fence .. '`'
      end
      expanded = ('%s\n\n%s:\n\n%s\n%s\n%s'):format(expanded, word, fence, block, fence)
    end
  end
  return expanded
end

--- Returns the completions of the last word of a text, as the server returns them.
--- @param text string
function M.complete(text)
  local items, word = {}, text:match('%s(@%a*)$') or text:match('^(@%a*)$')
  for _, name in ipairs({ '@quickfix', '@terminal' }) do
    if word and #word > 1 and vim.startswith(name, word) then
      table.insert(items, { insert = name, label = name:sub(2), detail = M.meanings[name], kind = 'command' })
    end
  end
  return items, word and #word
end

return M
