#!/usr/bin/env bash
# Tests the plugin in a small terminal: whatever it says, Neovim never asks to press ENTER.
# usage, from run.sh only, in the workspace's folder: small.sh NVIM
set -u
here=$(dirname "$0")
. "$here/terminal.sh"

screen new-session -d -x 50 -y 14 "$1 -u $here/init.lua -i NONE -n main.go"
shows 'the server runs' ' ploke *$' small-ready
# Types a subcommand, and waits for what it says.
says() {
  command "Ploke $1"
  shows ":Ploke $1" "$2" "small-said"
}
# The status line also shows nothing but the name before the first scan begins.
for _ in $(seq 100); do
  command 'Ploke status'
  sleep 0.1
  screen capture-pane -p | grep -qE '^ploke: .*index ready' && break
done
says status '^ploke: .*index ready'
says 'index pause' '^ploke: .*index paused'
says 'index resume' '^ploke: .*index ready'
says nonsense '^ploke: unknown subcommand "nonsense",…$'
says allow '^ploke: no permission request'
says 'allow sometimes' '^ploke: use :Ploke allow or'
says stop '^ploke: no answer is running'
says continue '^ploke: no conversation yet'
says permissions '^ploke: no permanent answers'
says accept '^ploke: no proposed change'
says 'ask rename Greeting to Salutation' 'Salutation — waiting|ploke 0/3'
shows 'something waits' 'ploke 0/3' small-waits
says accept '^ploke: (applied|accepted)'
says undo '^ploke: undone'
says redo '^ploke: (applied|accepted)'
says 'rename a title that is much longer than what fits into this little window' '^ploke: conversation renamed to .*…$'
says 'list zebra' '^ploke: no conversation found'
says new '── Ask ──'
command 'wincmd p'
command '/^func main'
command 'lua vim.lsp.buf.code_action()'
shows 'the menu of code actions' '[0-9]+: ploke: document main' small-menu
keys -l "$(grep -oE '[0-9]+: ploke: document' "$ARTIFACTS_DIR/nvim-small-menu.txt" | cut -d: -f1)"
keys Enter
shows 'an action that needs a model' '^ploke: documenting needs a language m…' small-needs
says 'retry' '^ploke: nothing is asked'
says 'messages' 'conversation renamed to a title th'
command 'close'
pkill -KILL -P "$(screen list-panes -F '#{pane_pid}')" ploke-lsp || pkill -KILL -P "$(pgrep -P "$(screen list-panes -F '#{pane_pid}')" nvim)" ploke-lsp
shows 'a killed server' '^ploke: the server ended.*…$' small-killed
shows 'comes back' ' ploke *$' small-back
command 'qall!'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
