--- The steps of a section of the chat: tool calls and what the model thinks. These are methods of the section.

local buffer = require('ploke.chat_buffer')
local places = require('ploke.chat_places')
local say = require('ploke.say')
local steps = require('ploke.chat_steps')
local tool_output = require('ploke.tool_output')

local Section = {}

local widest = 79 -- cells of the line of a call that runs

--- Begins or goes on with the steps that are folded together.
function Section:begin_step()
  self:begin_line()
  self.first_step = self.first_step or buffer.set_mark(self:position(), 0, { right_gravity = false })
end

--- Folds the steps since the last other line.
function Section:end_steps()
  self:end_thought()
  if self.first_step then
    steps.fold((buffer.mark(self.first_step)), self:position() - 1)
    buffer.delete_mark(self.first_step)
    self.first_step = nil
  end
end

--- Shows a tool call on one line and updates it when the state of the call changes.
--- @param call { callId: string, tool: string, state: string, summary: string|nil }
function Section:tool_call(call)
  local text = steps.call .. call.tool .. (call.state == 'failed' and ' failed' or '')
  text = text .. (call.summary and ': ' .. call.summary or call.state == 'started' and ' …' or '')
  local mark, group = self.calls[call.callId], call.state == 'failed' and 'PlokeProblem' or 'PlokeStep'
  if mark then
    self:replace(mark, text, group)
  else
    self:end_thought()
    self:begin_step()
    mark = self:own_line(text, group)
    self.calls[call.callId] = mark
  end
  local output = call.state == 'started' and tool_output.new(call.tool) or nil
  self.outputs[call.callId] = output
  places.set(mark, { call = call.callId, output = output })
end

--- Shows the last line of what a running tool call prints behind its name.
--- @param part { callId: string, text: string }
function Section:tool_output(part)
  local output = self.outputs[part.callId]
  if output then
    output:append(part.text)
    self:replace(self.calls[part.callId], say.fit(steps.call .. output.tool .. ' … ' .. output:last_line(), widest), 'PlokeStep')
  end
end

--- Appends to what the model thinks.
function Section:think(text)
  if not self.thought then
    text = text:gsub('^\n+', '')
    if text == '' then
      return
    end
    self:begin_step()
    local row = self:position()
    self.thought = buffer.set_mark(row, 0, { right_gravity = false, end_row = row, end_col = 0, end_right_gravity = true, hl_group = 'PlokeThought' })
    text = steps.thought .. text
  end
  self:insert((text:gsub('\n', '\n' .. steps.thought)))
end

function Section:end_thought()
  if self.thought then
    local first = buffer.mark(self.thought)
    local row, col = self:position()
    buffer.set_mark(first, 0, { id = self.thought, end_row = row, end_col = col, hl_group = 'PlokeThought' })
    self.thought = nil
    self:insert('\n')
  end
end

return Section
