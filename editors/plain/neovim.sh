# Sourced by run.sh: Neovim without a plugin, with the configuration that "ploke-lsp setup neovim" writes.

configure() {
  mkdir -p "$scratch/bin" "$XDG_CONFIG_HOME/nvim"
  ln -sf "$server" "$scratch/bin/ploke-lsp"
  "$PLOKE_BINARY" setup neovim --write >"$scratch/setup"
  cat >>"$XDG_CONFIG_HOME/nvim/init.lua" <<'LUA'
vim.o.laststatus = 2
function _G.Outlines()
  local method = { bufnr = 0, method = 'textDocument/documentSymbol' }
  print('outlines:', vim.fn.has('nvim-0.10') == 1 and #vim.lsp.get_clients(method) or 0)
end
function _G.Report(message)
  vim.diagnostic.set(vim.api.nvim_create_namespace('another server'), 0, { { lnum = 0, col = 0, message = message } })
end
LUA
}

ready='func Greeting'
edit() { start "PATH=$scratch/bin:$PATH ${NVIM:-nvim} -i NONE -n $1"; }
command() { keys Escape && text ":$1" && keys Enter; }
open() { command "edit $1"; }
open_view() { command "buffer $1" && command only; } # newer ones open it in a window beside the others
find() { command 1 && text "/$1" && keys Enter; }
append() { keys Escape && text "Go" && text "$1" && keys Escape; }
type_at_end() { keys Escape && text "GA$1" && keys Escape; }

# Chooses the first code action whose title begins so, by its number in the list.
action() {
  command 'lua vim.lsp.buf.code_action()'
  choose "$1"
}
ask_about_this() {
  keys Escape V
  keys :
  keys C-u
  text "lua vim.lsp.buf[vim.lsp.buf.range_code_action and 'range_code_action' or 'code_action'](vim.lsp.buf.range_code_action and {} or { range = { start = vim.api.nvim_buf_get_mark(0, '<'), ['end'] = vim.api.nvim_buf_get_mark(0, '>') } })"
  keys Enter
  choose 'ask about this'
}
choose() {
  await on_screen "^[0-9]+: ploke: $1" || return
  text "$(grep -oE "^[0-9]+: ploke: $1" "$scratch/screen" | head -1 | cut -d: -f1)"
  keys Enter h # moving closes a diagnostic that is shown
}
agree() { :; }

first_problem() { command 1 && command 'lua vim.diagnostic.goto_next()'; }
# Neovim keeps what other servers report to itself, unless it is asked. Since 0.10 it can be told which documents have an outline.
beyond() {
  # Neovim ends what is inserted behind the last line with one more line end.
  append '// ploke: rename farewell to goodbye'
  action 'do this'
  shows 'a comment at the end makes a proposal' 'a proposal waits'
  action 'accept "rename farewell'
  shows_no_more 'accepting removes the comment' "$code"'// ploke: rename farewell'
  shows 'and it is said that it is done' 'ploke: accepted: "rename farewell'
  action 'undo "rename farewell'
  shows 'undoing brings it back as it was' 'undone: "rename farewell' "$code"'// ploke: rename farewell'
  find 'ploke: rename'
  command 'normal! dd'
  outlines() { command 'lua Outlines()'; }
  shows_by outlines 'code has no outline of ploke' '^outlines: 0'
  command 'lua Report("no such package")'
  command 1
  command 'lua vim.lsp.buf.code_action()'
  choose 'fix: no such package'
  shows 'a fix is offered for what another server reports' 'fixing a problem needs a language model'
}
undo() { keys Escape && text u; }
redo() { keys Escape && keys C-r; }
save_and_quit() { command wqall; }
