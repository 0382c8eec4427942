--- The highlight groups of the review. They have colours of their own, since those of a diff hide the text in many colour
--- schemes. A colour scheme or the user may define them otherwise.

local M = {}

-- By 'background': the lines and the words that come and go, for terminals with few colours, too.
local colours = {
  dark = {
    PlokeAdd = { bg = '#16351f', ctermbg = 22 },
    PlokeAddText = { bg = '#236b37', ctermbg = 28 },
    PlokeDelete = { bg = '#45191d', ctermbg = 52 },
    PlokeDeleteText = { bg = '#8c2f35', ctermbg = 88 },
    PlokeConflict = { bg = '#4a3a10', ctermbg = 58 },
  },
  light = {
    PlokeAdd = { bg = '#dcf5e2', ctermbg = 194 },
    PlokeAddText = { bg = '#a3e0b0', ctermbg = 151 },
    PlokeDelete = { bg = '#fde3e3', ctermbg = 224 },
    PlokeDeleteText = { bg = '#f5b5b5', ctermbg = 217 },
    PlokeConflict = { bg = '#fbeec2', ctermbg = 229 },
  },
}

local function define()
  for name, colour in pairs(colours[vim.o.background]) do
    vim.api.nvim_set_hl(0, name, vim.tbl_extend('force', colour, { default = true }))
  end
  vim.api.nvim_set_hl(0, 'PlokeHint', { default = true, link = 'Comment' })
end

--- Defines the groups now and whenever a colour scheme clears them.
function M.define()
  vim.api.nvim_create_autocmd('ColorScheme', { group = vim.api.nvim_create_augroup('ploke.highlights', {}), callback = define })
  define()
end

return M
