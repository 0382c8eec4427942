--- A buffer with the proposed text of a file: the file as it is now with the hunks that wait and fit. It can be edited before
--- they are accepted; writing it changes the proposal.

local line_diff = require('ploke.line_diff')
local place = require('ploke.review_place')
local requests = require('ploke.requests')
local review = require('ploke.review')
local say = require('ploke.say')

local M = {}

local files = {} -- buffer -> { id, uri, over, version }: the text of the file and the version of the proposal that the proposed text was made from
local patience = 5000 -- how long writing waits for the server, in milliseconds

local function text_of(bufnr)
  local dos = vim.api.nvim_buf_get_option(bufnr, 'fileformat') == 'dos'
  local ending = dos and '\r\n' or '\n'
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), ending)
  return vim.api.nvim_buf_get_option(bufnr, 'endofline') and text .. ending or text
end

--- Replaces the text of a buffer, and leaves alone the lines that stay, with the cursors in them.
local function fill(bufnr, text)
  local dos = text:find('\r\n', 1, true) and not text:find('[^\r]\n') and not text:find('^\n')
  local lines = vim.split((text:gsub(dos and '\r\n' or '\n', '\n'):gsub('\n$', '')), '\n', { plain = true })
  local modifiable = vim.api.nvim_buf_get_option(bufnr, 'modifiable')
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', true)
  vim.api.nvim_buf_set_option(bufnr, 'fileformat', dos and 'dos' or 'unix')
  local groups = line_diff.lines(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), lines)
  for i = #groups, 1, -1 do
    local group = groups[i]
    local first = group.old_count > 0 and group.old - 1 or group.old
    vim.api.nvim_buf_set_lines(bufnr, first, first + group.old_count, false, vim.list_slice(lines, group.new, group.new + group.new_count - 1))
  end
  vim.api.nvim_buf_set_option(bufnr, 'endofline', text == '' or vim.endswith(text, '\n'))
  vim.api.nvim_buf_set_option(bufnr, 'modified', false)
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', modifiable)
end

--- Returns a name that no other buffer has, such as 'ploke://proposed/greet/greet.go'.
local function free_name(kind, path)
  local name, number = ('ploke://%s/%s'):format(kind, path), 1
  while vim.fn.bufexists(name) == 1 do
    number = number + 1
    name = ('ploke://%s %d/%s'):format(kind, number, path)
  end
  return name
end

--- Creates a buffer to read, which goes with its window.
--- @param kind string such as 'before'
--- @return number
function M.scratch(kind, path, text)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, free_name(kind, path))
  fill(bufnr, text)
  vim.api.nvim_buf_set_option(bufnr, 'bufhidden', 'wipe')
  vim.api.nvim_buf_set_option(bufnr, 'modifiable', false)
  return bufnr
end

--- What the user has made of one file of a proposal leaves the texts of its other files as they are.
function M.follow(id, before, now)
  for _, file in pairs(files) do
    if file.id == id and file.version == before then
      file.version = now
    end
  end
end

local function write(bufnr)
  local file, tick, done = files[bufnr], vim.api.nvim_buf_get_changedtick(bufnr), nil
  local waiting = review.of(file.id, file.uri)[1]
  if not waiting then
    say.error('the proposed text can not be stored: nothing of its file waits for a decision, or the server has ended')
    return
  end
  local function answered(message)
    done = true
    if message then
      say.error(message)
    end
  end
  local params = { id = file.id, version = file.version, file = file.uri, after = text_of(bufnr), over = file.over }
  requests.proposal_edit(waiting.server, params, function(result)
    M.follow(file.id, params.version, result.version)
    if vim.api.nvim_buf_is_valid(bufnr) and vim.api.nvim_buf_get_changedtick(bufnr) == tick then
      vim.api.nvim_buf_set_option(bufnr, 'modified', false)
    end
    answered()
    review.refresh(waiting.server)
  end, function(err)
    answered(err.message)
  end)
  vim.wait(patience, function() return done end, 10) -- so that :wq and :x know whether it is stored
  if not done then
    say.warn('the server has not stored the text yet; it stays modified until then')
  end
end

local function find(id, uri)
  for bufnr, file in pairs(files) do
    if file.id == id and file.uri == uri then
      return bufnr
    end
  end
end

local function create(id, file)
  local bufnr = vim.api.nvim_create_buf(true, false)
  vim.api.nvim_buf_set_name(bufnr, free_name('proposed', file.newPath or file.path))
  vim.api.nvim_buf_set_option(bufnr, 'buftype', 'acwrite')
  vim.api.nvim_buf_set_option(bufnr, 'swapfile', false)
  vim.api.nvim_create_autocmd('BufWriteCmd', { buffer = bufnr, callback = function() write(bufnr) end })
  vim.api.nvim_create_autocmd('BufUnload', { buffer = bufnr, once = true, callback = function() files[bufnr] = nil end })
  files[bufnr] = { id = id, uri = file.uri }
  return bufnr
end

--- Returns the buffer of a proposed file, which has no text until `open` or `refresh`.
--- @param waiting ploke.Waiting a hunk of the file
--- @return number
function M.of(waiting)
  return find(waiting.proposal.id, waiting.file.uri) or create(waiting.proposal.id, waiting.file)
end

--- Returns the buffer of a proposed file with the server's texts in it, unless it has unsaved changes.
--- @param waiting ploke.Waiting a hunk of the file
--- @param texts ploke.ReviewMergeResult
--- @return number
function M.open(waiting, texts)
  local bufnr, file = M.of(waiting), waiting.file
  if not vim.api.nvim_buf_get_option(bufnr, 'modified') then
    fill(bufnr, texts.merged)
    files[bufnr].over, files[bufnr].version = texts.theirs, texts.proposalVersion
    vim.api.nvim_buf_set_option(bufnr, 'modifiable', file.op ~= 'delete')
    place.update_proposed(bufnr, review.of(waiting.proposal.id, file.uri))
  end
  return bufnr
end

--- Brings the buffers of proposed files up to date. Those with unsaved changes, and those of which nothing waits any more, stay.
--- @param shown fun() called after each
function M.refresh(shown)
  for bufnr, file in pairs(files) do
    local waiting = review.of(file.id, file.uri)[1]
    if waiting and not vim.api.nvim_buf_get_option(bufnr, 'modified') then
      requests.review_merge(waiting.server, { id = file.id, uri = file.uri }, function(texts)
        if files[bufnr] == file then
          M.open(waiting, texts)
          shown()
        end
      end, function() end) -- it was decided meanwhile
    end
  end
end

--- @return { id: string, uri: string }|nil the proposed file in a buffer
function M.file_of(bufnr)
  return files[bufnr]
end

--- Finds unsaved edits of a proposal.
--- @return string|nil the name of a modified buffer of the proposal
function M.unwritten(id)
  for bufnr, file in pairs(files) do
    if file.id == id and vim.api.nvim_buf_get_option(bufnr, 'modified') then
      return vim.api.nvim_buf_get_name(bufnr)
    end
  end
end

return M
