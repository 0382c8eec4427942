--- The model that answers: the one of the settings, or one that the person has chosen for this Neovim.

local client = require('ploke.client')
local requests = require('ploke.requests')
local say = require('ploke.say')

local M = {}

local chosen

--- @return string|nil the id of the chosen model, nil for that of the settings
function M.chosen()
  return chosen
end

--- Chooses the model of the messages and of the commands.
--- @param id string
local function choose(server, id)
  requests.model_choose(server, { model = id }, function()
    chosen = id
    say.info(('%s answers from now on'):format(id))
    if require('ploke.chat_buffer').get() then
      require('ploke.chat_prompt').draw_border()
      require('ploke.chat_welcome').show_model()
    end
  end)
end

--- Lets the person choose how long a model reasons, where it has words for that, and chooses it.
local function choose_effort(server, model)
  if not model.efforts then
    return choose(server, model.id)
  end
  local names = { model.id }
  for _, effort in ipairs(model.efforts) do
    table.insert(names, model.id .. '#' .. effort)
  end
  vim.ui.select(names, {
    prompt = 'How long it reasons before it answers',
    format_item = function(name) return (name == model.id and 'as the model does by default' or name:match('#(.*)$')) .. (name == chosen and '  (in use)' or '') end,
  }, function(name)
    if name then
      choose(server, name)
    end
  end)
end

--- @return boolean whether a name is that of the model, with or without an effort
local function is_called(model, name)
  for _, effort in ipairs(model.efforts or {}) do
    if name == model.id .. '#' .. effort then
      return true
    end
  end
  return name == model.id
end

local function describe(model, default)
  local words = { model.id }
  if model.contextTokens then
    table.insert(words, ('%dk tokens'):format(model.contextTokens / 1000))
  end
  if model.price then
    table.insert(words, ('$%g in, $%g out per million'):format(model.price['in'], model.price.out))
  end
  if not model.tools and model.id ~= 'embedded' then
    table.insert(words, 'no tools')
  end
  if model.id == default then
    table.insert(words, 'of the settings')
  end
  return table.concat(words, ' · ') .. (is_called(model, chosen or default) and '  (in use)' or '')
end

--- Chooses a model by its id, or lets the person choose.
--- @param id string|nil
function M.choose(id)
  client.with(function(server)
    if id then
      return choose(server, id)
    end
    requests.models(server, function(result)
      for _, problem in ipairs(result.problems) do
        say.warn(('%s: %s'):format(problem.provider, problem.error))
      end
      vim.ui.select(result.models, {
        prompt = 'Model',
        format_item = function(model) return describe(model, result.default) end,
      }, function(model)
        if model then
          choose_effort(server, model)
        end
      end)
    end)
  end)
end

return M
