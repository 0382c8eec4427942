-- The configuration of the Neovim that scripts/picture.sh shows: the plugin, a dark color scheme, and the
-- arrangement of the windows.

vim.cmd('filetype plugin indent on | syntax on')
vim.opt.runtimepath:prepend(os.getenv('PLOKE_PLUGIN'))
vim.g.markdown_fenced_languages = { 'go' }

for name, value in pairs({
  termguicolors = true, laststatus = 2, ruler = false, showcmd = false, showmode = false, tabstop = 4, wrap = false,
  cursorline = true, scrolloff = 0, shortmess = vim.o.shortmess .. 'FWIc', hidden = true, splitright = true,
  splitbelow = true, equalalways = false, fillchars = 'vert:│,eob: ,stl: ,stlnc: ', linebreak = true, breakat = ' ', breakindent = true,
}) do
  vim.o[name] = value
end

local fg, dim, bg, bar, line = '#d5dae6', '#7f8aa3', '#151922', '#232a39', '#1c2230'
local blue, green, red, yellow, purple, cyan = '#7cb7ff', '#93d48a', '#f28b93', '#e8c47a', '#c6a0f6', '#6fd0cf'
vim.cmd('highlight clear')
for group, colors in pairs({
  Normal = { fg, bg }, NonText = { dim }, Comment = { dim }, LineNr = { '#4d576d' }, CursorLine = { nil, line }, CursorLineNr = { yellow, line },
  StatusLine = { fg, bar }, StatusLineNC = { dim, bar }, VertSplit = { bar, bg }, MsgArea = { dim, bg },
  Statement = { purple }, Keyword = { purple }, Type = { cyan }, Constant = { yellow }, String = { green }, Number = { yellow },
  Function = { blue }, Identifier = { fg }, PreProc = { purple }, Special = { cyan }, Directory = { blue }, Delimiter = { fg },
  markdownCode = { cyan }, markdownCodeBlock = { fg }, markdownCodeDelimiter = { '#4d576d' }, markdownError = { fg },
  diffAdded = { green, '#17271f' }, diffRemoved = { red, '#2c1b22' }, diffLine = { purple }, diffFile = { blue }, diffOldFile = { dim }, diffNewFile = { dim },
  diffSubname = { dim }, PlokeQuestion = { '#ffffff', '#2a3a5c' }, PlokeNote = { dim }, PlokeCitation = { blue }, PlokeProposal = { yellow }, PictureFile = { dim, bg },
}) do
  vim.cmd(('highlight %s gui=%s guifg=%s guibg=%s'):format(
    group, group == 'PlokeQuestion' and 'bold' or 'NONE', colors[1] or 'NONE', colors[2] or 'NONE'))
end
vim.cmd('highlight! link goFunctionCall Function | highlight! link goDeclaration Keyword | highlight! link goField Identifier')

require('ploke').setup {
  cmd = { os.getenv('PLOKE_BINARY'), 'serve' },
  root = function() return vim.fn.getcwd() end,
}
vim.cmd('runtime plugin/ploke.lua')

-- What the status lines call the windows. The state that the server reports stands on the right.
function _G.title()
  local name = vim.fn.bufname(vim.fn.winbufnr(vim.g.statusline_winid))
  if name:find('^ploke://chat') then
    return 'ploke: chat'
  elseif name:find('^ploke://proposal') then
    return 'ploke: proposal'
  end
  return name
end
vim.o.statusline = " %{%v:lua.title()%} %= %{get(g:,'ploke_status','')} "

-- Shows the question with its answer and the instruction on the left, and the proposed hunks in the file on the right.
function _G.arrange()
  local chat, source = vim.fn.bufnr('^ploke://chat$'), vim.fn.bufnr('net/http/server.go')
  vim.cmd('tabnew')
  local function window(command, bufnr, options)
    vim.cmd(command)
    vim.api.nvim_win_set_buf(0, bufnr)
    for name, value in pairs(options) do
      vim.wo[name] = value
    end
  end
  local prose = { wrap = true, conceallevel = 2, concealcursor = 'nc', number = false, cursorline = false, foldlevel = 9 }
  local code = { number = true, wrap = false }
  vim.o.showtabline = 0
  window('', chat, prose)
  vim.cmd('normal! ggzt')
  window('botright vsplit | vertical resize 71', source, code)
  vim.fn.search([[^const shutdownPollIntervalMax]], 'w')
  vim.cmd('normal! zt5\25')
  window('belowright 35split', source, code)
  vim.fn.search([[pollIntervalBase > shutdownPollIntervalMax]], 'w')
  vim.cmd('normal! zz')
  vim.cmd('wincmd h')
  window('belowright 20split', chat, prose)
  vim.cmd('normal! Gzb')
  vim.cmd('wincmd l')
end
