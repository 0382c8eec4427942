--- The prompt: the lines below the chat's border, in which the person writes a message.

local buffer = require('ploke.chat_buffer')
local completion = require('ploke.chat_completion')
local draft = require('ploke.chat_draft')
local keys = require('ploke.keys')
local mentions = require('ploke.chat_mentions')
local say = require('ploke.say')
local undo = require('ploke.chat_undo')

local M = {}

local last -- the text when it was looked at last
local revises -- { conversation, parentId, draft } while the prompt holds an earlier question

--- @return string
function M.text()
  return table.concat(buffer.lines(buffer.border() + 1, -1), '\n')
end

--- Shows what a changed text mentions. What streams in above it changes only the buffer.
local function look()
  local text = M.text()
  if text ~= last then
    last = text
    mentions.show(text)
    require('ploke.chat_welcome').show()
  end
end

--- Stores the text for the next Neovim. One that a signal ends has freed its texts when it says that it leaves.
function M.store()
  if not revises and vim.api.nvim_buf_is_loaded(buffer.get()) then
    local text = M.text()
    draft.save(vim.trim(text) == '' and '' or text, mentions.labels_in(text))
  end
end

--- Handles the end of a change.
local function changed()
  undo.record()
  look()
  M.store()
end

--- Replaces the text.
function M.set(text)
  undo.record()
  buffer.edit(function()
    vim.api.nvim_buf_set_lines(buffer.get(), buffer.border() + 1, -1, false, vim.split(text, '\n', { plain = true }))
  end)
  changed()
end

--- Puts a text below what is there.
function M.add(text)
  local there = M.text()
  M.set(vim.trim(there) == '' and text or there:gsub('%s+$', '') .. '\n' .. text)
end

--- Mentions a file or lines of one.
--- @param attachment ploke.Attachment
function M.mention(attachment)
  local label = require('ploke.citation').mention(attachment)
  mentions.remember(label, attachment)
  M.add(label .. ' ')
end

--- Draws the border: what sending does, and the keys for it.
function M.draw_border()
  local model = require('ploke.model').chosen()
  local what = revises and 'Edit your question (:Ploke revise takes it back)' or 'Ask' .. (model and ' ' .. model or '')
  local normal, insert, help = keys.first('chat-enter'), keys.first('chat-send'), keys.first('chat-help')
  local sends = {}
  table.insert(sends, normal and ('Normal %s'):format(normal) or nil)
  table.insert(sends, insert and ('Insert %s'):format(insert) or nil)
  local hint = #sends > 0 and (' ── %s '):format(table.concat(sends, ', ')) or ' '
  hint = help and ('%s── %s keys '):format(hint, help) or hint
  buffer.draw_border({ { '── ' .. what .. hint .. ('─'):rep(300), 'PlokePrompt' } })
end

--- Moves the cursor of the current window, which shows the chat, to the end of the prompt.
function M.go()
  local last = vim.api.nvim_buf_line_count(buffer.get())
  vim.api.nvim_win_set_cursor(0, { last, #buffer.lines(last - 1, last)[1] })
  buffer.guard()
end

--- Returns the keys that begin to insert: where the cursor is, if it is in the prompt, else at the prompt's end.
--- @param key string of Normal mode
function M.insert(key)
  if buffer.in_prompt(vim.fn.line('.') - 1) then
    return key
  end
  return "<Cmd>lua require('ploke.chat_prompt').go()<CR>A"
end

--- Puts an earlier question into the prompt, to send it again in its place. The draft comes back afterwards.
--- @param question { text: string, attachments: ploke.Attachment[], parentId: string, conversation: string }
function M.revise(question)
  local before = revises and revises.draft or M.text()
  revises = { conversation = question.conversation, parentId = question.parentId, draft = before }
  local text = question.text
  for _, attachment in ipairs(question.attachments) do
    local label = require('ploke.citation').mention(attachment)
    mentions.remember(label, attachment)
    text = text:find(label, 1, true) and text or text .. '\n' .. label
  end
  M.set(text)
  M.draw_border()
end

--- @return boolean whether the prompt holds an earlier question
function M.is_revising()
  return revises ~= nil
end

--- Takes the earlier question out of the prompt again.
function M.end_revision()
  local before = revises.draft
  revises = nil
  M.set(before)
  M.draw_border()
end

--- Sends the message.
--- @param steers boolean whether it joins the answer that is being written
function M.send(steers)
  local text = M.text():gsub('^%s*\n', ''):gsub('%s+$', '')
  if text == '' then
    say.info('the message is empty; write it in the last lines of the chat')
    return
  end
  vim.cmd('stopinsert')
  local message = { text = text, attachments = vim.tbl_values(mentions.labels_in(text)), steers = steers }
  local ask = require('ploke.turns').ask
  if revises then
    message.conversation, message.parentId = revises.conversation, revises.parentId
    ask = require('ploke.branches').send
    M.end_revision()
  else
    M.set('')
  end
  vim.schedule(function() -- Insert mode has ended then, so that the chat scrolls to the question
    ask(message)
  end)
end

--- Gives a message back that was not sent.
function M.take_back(text)
  if M.text():find(text, 1, true) then
    return
  end
  M.add(text)
end

--- Keeps the keys that delete backwards from joining the prompt with the line above it.
local function keep_beginning(bufnr)
  for _, key in ipairs({ '<BS>', '<C-h>', '<C-w>', '<C-u>' }) do
    vim.keymap.set('i', key, function()
      local cursor = vim.api.nvim_win_get_cursor(0)
      return cursor[1] - 1 == buffer.border() + 1 and cursor[2] == 0 and '' or key
    end, { buffer = bufnr, expr = true, desc = 'ploke: delete in the prompt' })
  end
end

--- Sets up the prompt of a new buffer, with the draft of an earlier Neovim.
function M.attach(bufnr)
  revises, last = nil, nil
  local stored = draft.load()
  undo.clear()
  if stored then
    for label, attachment in pairs(stored.labels) do
      mentions.remember(label, attachment)
    end
    M.set(stored.text)
  end
  vim.api.nvim_buf_set_option(bufnr, 'omnifunc', 'ploke#complete')
  completion.attach(bufnr)
  keep_beginning(bufnr)
  local group = vim.api.nvim_create_augroup('ploke.chat_prompt', {})
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = bufnr, callback = function() callback() end })
  end
  on({ 'TextChanged', 'InsertLeave' }, changed)
  on({ 'TextChangedI', 'TextChangedP' }, look)
  on('CursorHoldI', M.store)
  vim.api.nvim_create_autocmd('VimLeavePre', { group = group, callback = function() if buffer.get() then M.store() end end })
  M.draw_border()
end

return M
