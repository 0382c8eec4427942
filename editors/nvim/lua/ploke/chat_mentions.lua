--- What the prompt mentions, which is attached to the message: files, lines of files and folders behind an @, symbols behind
--- a #, and what was offered as a completion. Whoever deletes the words drops the attachment.

local buffer = require('ploke.chat_buffer')
local client = require('ploke.client')
local requests = require('ploke.requests')

local M = {}

local namespace = vim.api.nvim_create_namespace('ploke.chat.mentions')
local labels = {} -- text of a completion -> ploke.Attachment
local asking, again = false, false

--- Remembers what a text stands for.
--- @param label string
--- @param attachment ploke.Attachment
function M.remember(label, attachment)
  labels[label] = attachment
end

--- Returns where a label is in a line: its first byte, 1-based. It is no label if its word goes on.
local function find(line, label, from)
  local first, last = line:find(label, from, true)
  while first and label:find('^[@#]') and line:find('^[%w_/#-]', last + 1) do
    first, last = line:find(label, last + 1, true)
  end
  return first, last
end

--- @return table<string, ploke.Attachment> the remembered labels that are in a text
function M.labels_in(text)
  local found = {}
  for label, attachment in pairs(labels) do
    found[label] = find(text, label, 1) and attachment or nil
  end
  return found
end

--- Adds what a text mentions to attachments, each once. Calls back with all.
--- @param attachments ploke.Attachment[]
function M.attach(server, text, attachments, callback, on_error)
  requests.chat_mentions(server, { text = text }, function(result)
    local all, seen = {}, {}
    local function add(attachment)
      local range = attachment.range
      local key = attachment.uri .. (range and ('#%d-%d'):format(range.start.line, range['end'].line) or '')
      if not seen[key] then
        seen[key] = true
        table.insert(all, attachment)
      end
    end
    vim.tbl_map(add, attachments)
    vim.tbl_map(function(mention) add(mention.attachment) end, result.mentions)
    callback(all)
  end, on_error)
end

local function words_of(mention)
  if mention.problem then
    return mention.problem, 'PlokeProblem'
  end
  local lines = mention.details.lines
  return mention.details.folder and 'outline of the folder' or lines == 1 and '1 line' or lines .. ' lines', 'PlokeNote'
end

--- Marks each place of a label in the prompt, and shows a few words at the end of its line.
local function draw(label, words, group)
  for i, line in ipairs(buffer.lines(buffer.border() + 1, -1)) do
    local first, last = find(line, label, 1)
    while first do
      vim.api.nvim_buf_set_extmark(buffer.get(), namespace, buffer.border() + i, first - 1, {
        end_col = last, hl_group = group == 'PlokeProblem' and group or 'PlokeMention', virt_text = { { '· ' .. words, group } },
      })
      first, last = find(line, label, last + 1)
    end
  end
end

local function draw_all(text, mentions)
  vim.api.nvim_buf_clear_namespace(buffer.get(), namespace, 0, -1)
  for label, attachment in pairs(M.labels_in(text)) do
    if not vim.startswith(label, '@') then
      draw(label, require('ploke.citation').mention(attachment):sub(2), 'PlokeNote')
    end
  end
  for _, mention in ipairs(mentions) do
    draw(mention.text, words_of(mention))
  end
end

--- Shows what a text, which is the prompt's, mentions.
function M.show(text)
  if not text:find('[@#]') then
    return draw_all(text, {})
  end
  again = asking
  if asking then
    return
  end
  asking = true
  local function answered(mentions)
    asking = false
    if again and buffer.get() then
      M.show(require('ploke.chat_prompt').text())
    elseif buffer.get() then
      draw_all(text, mentions)
    end
  end
  client.with(function(server)
    requests.chat_mentions(server, { text = text }, function(result)
      answered(result.mentions)
    end, function()
      answered({}) -- sending the message shows the error
    end)
  end)
end

return M
