--- The stored conversations: choose one and show it in the chat; rename, delete or export the current one.

local answer = require('ploke.answer')
local chat = require('ploke.chat')
local client = require('ploke.client')
local last_conversation = require('ploke.last_conversation')
local requests = require('ploke.requests')
local say = require('ploke.say')
local turns = require('ploke.turns')

local M = {}

M.root = 'root' -- the parent of a conversation's first message

local ending = {
  cancelled = 'stopped',
  failed = 'failed',
  interrupted = 'interrupted; :Ploke continue resumes it',
  pending = 'not answered here; another editor runs it',
}

--- Shows a stored answer behind its question.
--- @param message ploke.Message
local function show_answer(server, section, message)
  for _, part in ipairs(message.parts or {}) do
    answer.draw(server, section, part)
  end
  local ended = ending[message.status]
  if ended then
    section:note(message.error and ended .. ': ' .. message.error or ended)
  end
  section:close()
  if message.usage then
    section:usage(answer.usage(message))
  end
end

--- Shows stored messages: one section for each question with its answer.
local function show(server, messages)
  local section
  for _, message in ipairs(messages) do
    if message.role == 'user' then
      section = chat.section(message.text, message.attachments, client.encoding(server))
      section.question_id, section.turn_id = message.id, message.turnId
    else
      show_answer(server, section, message)
    end
  end
end

--- Shows the turns of a conversation, one after the other. A running turn is followed.
local function draw(server, conversation, messages, done)
  local first = messages[1]
  if not first then
    return done()
  end
  local turn, rest, runs = {}, {}, false
  for _, message in ipairs(messages) do
    local same = message.turnId == first.turnId
    table.insert(same and turn or rest, message)
    runs = runs or same and message.status == 'pending'
  end
  if not runs then
    show(server, turn)
    return draw(server, conversation, rest, done)
  end
  turns.attach(server, conversation, first.turnId, first.text, function(attached)
    if not attached then
      show(server, turn)
    end
    draw(server, conversation, rest, done)
  end)
end

--- Shows a conversation, or the branch of it that ends in a message, and makes it the current one. The focus does
--- not change.
--- @param server table
--- @param id string
--- @param leaf string|nil the last message of the branch, M.root for none; by default the newest one
--- @param callback function called when it is shown, or can't be read
function M.show(server, id, leaf, callback)
  local conversation = { id = id, leaf = leaf, pending = {} }
  local function shown(messages)
    turns.set_current(server, conversation)
    chat.clear()
    chat.open()
    draw(server, conversation, messages, function()
      chat.show_end()
      turns.show_branches(server)
      callback()
    end)
  end
  if leaf == M.root then
    return shown({})
  end
  requests.chat_history(server, { conversationId = id, leafId = leaf }, function(result)
    shown(result.messages)
  end, function(err)
    say.error(err.message)
    callback()
  end)
end

--- Shows a conversation as `show` does, and goes to the chat.
--- @param callback function|nil
function M.open(server, id, leaf, callback)
  M.show(server, id, leaf, function()
    vim.api.nvim_set_current_win(chat.open());
    (callback or function() end)()
  end)
end

--- Shows the current conversation again.
function M.redraw()
  client.with(function(server)
    local conversation = turns.conversation(server)
    if conversation.id then
      M.open(server, conversation.id, conversation.leaf)
    else
      chat.clear()
    end
  end)
end

local function select(server, items)
  if #items == 0 then
    say.info('no conversation found')
    return
  end
  vim.ui.select(items, {
    prompt = 'Conversation',
    format_item = function(item)
      return item.text
    end,
  }, function(item)
    if item then
      M.open(server, item.id)
    end
  end)
end

--- Lets the user choose a conversation and shows it: any, or one with messages that contain
--- `words`.
--- @param words string
function M.choose(words)
  client.with(function(server)
    if words ~= '' then
      requests.chat_search(server, { query = words }, function(result)
        select(server, vim.tbl_map(function(found)
          return { id = found.conversationId, text = ('%s: %s'):format(found.title, found.excerpt:gsub('\n', ' ')) }
        end, result.results))
      end)
      return
    end
    requests.chat_list(server, function(result)
      select(server, vim.tbl_map(function(listed)
        return { id = listed.id, text = ('%s  %s'):format(os.date('%Y-%m-%d %H:%M', listed.updatedAt / 1000), listed.title) }
      end, result.conversations))
    end)
  end)
end

--- @param title string the new title; prompted for if empty
function M.rename(title)
  last_conversation.with_current(function(server, id)
    local function rename(to)
      if to and to ~= '' then
        requests.chat_rename(server, { conversationId = id, title = to }, function()
          say.info('conversation renamed to ' .. to)
        end)
      end
    end
    if title ~= '' then
      rename(title)
    else
      vim.ui.input({ prompt = 'Title: ' }, rename)
    end
  end)
end

--- Deletes the current conversation after a confirmation.
function M.delete()
  last_conversation.with_current(function(server, id)
    vim.ui.select({ 'Keep it', 'Delete it' }, { prompt = 'Delete the conversation with all its messages?' }, function(_, choice)
      if choice == 2 then
        requests.chat_delete(server, { conversationId = id }, function()
          turns.set_current(server, { pending = {} })
          chat.clear()
        end)
      end
    end)
  end)
end

--- Opens the current conversation as Markdown in an unnamed buffer.
function M.export()
  last_conversation.with_current(function(server, id)
    requests.chat_export(server, { conversationId = id }, function(result)
      vim.cmd('tabnew')
      vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(result.markdown, '\n', { plain = true }))
      vim.api.nvim_buf_set_option(0, 'filetype', 'markdown')
    end)
  end)
end

return M
