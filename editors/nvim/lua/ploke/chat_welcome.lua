--- What the chat says before anything is asked: questions that fit the project, and in the bar of its windows which model answers.

local buffer = require('ploke.chat_buffer')
local keys = require('ploke.keys')
local requests = require('ploke.requests')

local M = {}

local namespace = vim.api.nvim_create_namespace('ploke.chat.welcome')
local questions = {} -- for the project of the server that was asked last
local asked -- that server
local default -- the model of its settings
local asking = false

local function lines()
  local words, shown = { 'Ask about this project.', '@ brings files, # symbols; / commands.' }, {}
  local help = keys.first('chat-help')
  table.insert(words, help and ('In Normal mode %s shows the keys.'):format(help) or nil)
  for _, word in ipairs(words) do
    table.insert(shown, { { word, 'PlokeNote' } })
  end
  for i, question in ipairs(questions) do
    vim.list_extend(shown, i == 1 and { { { '', '' } }, { { 'For example:', 'PlokeNote' } } } or {})
    table.insert(shown, { { '  ' .. question, 'PlokeHint' } })
  end
  return shown
end

--- Shows the words below the prompt of an empty chat, and hides them once something is written or asked.
function M.show()
  local bufnr = buffer.get()
  if not bufnr then
    return
  end
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  local written = buffer.lines(buffer.border() + 1, -1)
  if buffer.border() == 0 and #written == 1 and written[1] == '' then
    vim.api.nvim_buf_set_extmark(bufnr, namespace, vim.api.nvim_buf_line_count(bufnr) - 1, 0, { virt_lines = lines() })
  end
end

--- Shows which model answers in the bar of the chat's windows, which Neovim has since 0.8.
function M.show_model()
  if not buffer.get() or vim.fn.has('nvim-0.8') == 0 then
    return
  end
  local model, help = require('ploke.model').chosen() or default, keys.first('chat-help')
  local words = { 'ploke', model and model:gsub('%%', '%%%%') or nil, help and help .. ' keys' or nil }
  for _, win in ipairs(vim.fn.win_findbuf(buffer.get())) do
    vim.api.nvim_win_set_option(win, 'winbar', table.concat(vim.tbl_filter(function(word) return word end, words), ' · '))
  end
end

--- Asks a server for questions. While it indexes, it has none.
local function ask()
  asking = true
  requests.examples(asked, function(result)
    asking, questions = false, result.questions
    M.show()
  end, function() asking = false end)
end

--- Says what a server knows of its project and its model.
function M.of(server)
  if asked ~= server then
    asked, questions = server, {}
    requests.model_default(server, function(result)
      default = result.model
      M.show_model()
    end, function() end)
  end
  if #questions == 0 and not asking then
    ask()
  end
  M.show_model()
end

--- Forgets a server that has ended.
function M.server_ended(server)
  if asked == server then
    asked, asking = nil, false
  end
end

vim.api.nvim_create_autocmd('User', {
  group = vim.api.nvim_create_augroup('ploke.welcome', {}), pattern = 'PlokeStatus',
  callback = function() -- what is said in the status line may be how far the index is
    if asked and #questions == 0 and not asking and buffer.get() then
      ask()
    end
  end,
})

return M
