--- The branches of a conversation: to ask a question again, or another one in its place, begins a new branch beside the
--- old one.

local chat = require('ploke.chat')
local client = require('ploke.client')
local conversation = require('ploke.conversation')
local prompt = require('ploke.chat_prompt')
local requests = require('ploke.requests')
local say = require('ploke.say')
local turns = require('ploke.turns')

local M = {}

local function tell(text)
  say.info(text)
end

--- Calls back with the stored question of the section that a command is about.
--- @param callback fun(server: table, id: string, question: ploke.Message)
local function with_question(callback)
  client.with(function(server)
    local current, section = turns.conversation(server), chat.current_section()
    if not (current.id and section) then
      return tell('nothing is asked in this conversation yet')
    end
    local leaf = current.leaf ~= conversation.root and current.leaf or nil
    requests.chat_history(server, { conversationId = current.id, leafId = leaf }, function(result)
      for _, message in ipairs(result.messages) do
        if message.role == 'user' and (message.id == section.question_id or not section.question_id and message.turnId == section.turn_id) then
          return callback(server, current.id, message)
        end
      end
      tell('the question is not stored yet; wait until its answer begins')
    end)
  end)
end

--- Sends a message in the place of an earlier one: what followed that one stays in a branch of its own.
--- @param message { text: string, attachments: ploke.Attachment[], conversation: string, parentId: string }
function M.send(message)
  client.with(function(server)
    turns.stop_conversation(server)
    conversation.open(server, message.conversation, message.parentId, function()
      turns.ask(message)
    end)
  end)
end

local function parent_of(question)
  return question.parentId or conversation.root
end

--- Asks a question again.
function M.retry()
  with_question(function(_, id, question)
    M.send({ text = question.text, attachments = question.attachments or {}, conversation = id, parentId = parent_of(question) })
  end)
end

--- Puts a question into the prompt, where the person edits it; or takes it out of there again.
function M.revise()
  if prompt.is_revising() then
    return prompt.end_revision()
  end
  with_question(function(_, id, question)
    chat.write()
    prompt.revise({ text = question.text, attachments = question.attachments or {}, conversation = id, parentId = parent_of(question) })
    prompt.go()
  end)
end

local function fork_of(forks, id)
  for _, fork in ipairs(forks) do
    for _, message in ipairs(fork.messages) do
      if message.id == id then
        return fork
      end
    end
  end
end

--- Returns the beginning of the answer to a question in the messages of its branch.
local function answer_in(messages, id)
  local asked = false
  for _, message in ipairs(messages) do
    local line = asked and message.role == 'assistant' and vim.trim(message.text):match('[^\n]+')
    if line then
      return vim.fn.strcharpart(line, 0, 60)
    end
    asked = asked or message.id == id
  end
  return ''
end

--- Calls back with the beginnings of the answers in the branches of a fork, by the ids of its messages.
local function with_answers(server, id, fork, callback)
  local answers, left = {}, #fork.messages
  for _, message in ipairs(fork.messages) do
    local function take(result)
      answers[message.id], left = answer_in(result.messages, message.id), left - 1
      if left == 0 then
        callback(answers)
      end
    end
    requests.chat_history(server, { conversationId = id, leafId = message.leafId }, take, function() take({ messages = {} }) end)
  end
end

--- Returns a line for a branch: when it was begun, its question if the branches differ in it, and its answer.
local function describe(fork, message, answer, shown)
  local same = #vim.tbl_filter(function(other) return other.excerpt ~= message.excerpt end, fork.messages) == 0
  local words = { os.date('%Y-%m-%d %H:%M', message.createdAt / 1000) }
  table.insert(words, not (same and answer ~= '') and message.excerpt or nil)
  table.insert(words, answer ~= '' and '→ ' .. answer or nil)
  return table.concat(words, '  ') .. (shown and '  (shown)' or '')
end

--- Lets the person choose among the branches that begin with a question or its alternatives, and shows the chosen one.
function M.choose()
  with_question(function(server, id, question)
    requests.chat_siblings(server, { conversationId = id, leafId = question.id }, function(result)
      local fork = fork_of(result.forks, question.id)
      if not fork then
        return tell('the question has no other branch; :Ploke retry and :Ploke revise begin one')
      end
      with_answers(server, id, fork, function(answers)
        vim.ui.select(fork.messages, {
          prompt = 'Branch',
          format_item = function(message)
            return describe(fork, message, answers[message.id], message.id == question.id)
          end,
        }, function(message)
          if message and message.id ~= question.id then
            conversation.open(server, id, message.leafId)
          end
        end)
      end)
    end)
  end)
end

return M
