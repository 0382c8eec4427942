# Sourced by run.sh: Emacs with Eglot, both of Debian 12, and the configuration that "ploke-lsp setup eglot" writes.

configure() {
  mkdir -p "$scratch/bin"
  ln -sf "$server" "$scratch/bin/ploke-lsp"
  add_server
  PATH=$scratch/bin "$PLOKE_BINARY" setup eglot --languages go --write --file "$scratch/setup.el" >"$scratch/setup"
}
add_server() { :; } # of the language, to those that are on the PATH of the editor
ready='\[eglot:w' # the counts of Flymake before it leave little room

look() { screen capture-pane -p | sed -z 's/\\\n//g' >"$scratch/screen"; } # Emacs breaks long lines so
edit() { start "PATH=$scratch/bin:$PATH SETUP=$scratch/setup.el ${EMACS:-emacs} -nw -q -l $here/emacs.el $1"; }
run_command() { keys M-x && text "$1" && keys Enter; }
open() { keys C-x C-f C-a C-k && text "$folder/$1" && keys Enter; }
open_view() { open ".ploke/$1"; }
find() { keys M-'<' C-s && text "$1" && keys Enter; }
append() { keys M-'>' && text "$1" && keys Enter; }
type_at_end() { keys M-'>' && text "$1"; }

# Chooses the first code action whose title begins so. Eglot sends a change only when it is idle or sends a request,
# so the server may have to be asked again.
action() {
  for _ in $(seq 30); do
    run_command eglot-code-actions
    await on_screen 'Pick an action' || return
    text '?'
    await on_screen 'Possible completions are' || return
    on_screen "ploke: $1" && break
    keys C-g
    await not_on_screen 'Pick an action' || return
    sleep 0.5
  done
  for word in ploke: $1; do
    text "$word"
    keys C-q Space # which does not complete the word before it
  done
  keys BSpace Enter
}
ask_about_this() { action 'ask about this'; }

# Agrees to an edit, of which Eglot asks.
agree() { await on_screen 'Proceed\?' && text y; }

first_problem() { keys M-'<' && run_command flymake-goto-next-error; }
beyond() { :; }
undo() { keys C-_; }
redo() { run_command undo-redo; }
save_and_quit() { keys C-u C-x s && keys C-x C-c; }
