# Sourced by run.sh: Emacs with Eglot, both of Debian 12.

configure() { :; }

edit() { start "SERVER=$server ${EMACS:-emacs} -nw -q -l $here/emacs.el $1"; }
run_command() { keys C-g && keys M-x && text "$1" && keys Enter; }
open() { keys C-g && keys C-x C-f C-a C-k && text "$folder/$1" && keys Enter; }
open_view() { open ".ploke/$1"; }
find() { keys C-g && keys M-'<' C-s && text "$1" && keys Enter; }
append() { keys C-g && keys M-'>' && text "$1" && keys Enter; }
type_at_end() { keys C-g && keys M-'>' && text "$1"; }

# Chooses the first code action whose title begins so.
action() {
  run_command eglot-code-actions
  await on_screen 'Pick an action' || return
  text "ploke: $1"
  keys Enter
}

ask_about_this() { action 'ask about this'; }

# Agrees to an edit, of which Eglot asks.
agree() { await on_screen 'Proceed\?' && text y; }

first_problem() { keys C-g && keys M-'<' && next_problem; }
next_problem() { run_command flymake-goto-next-error; }
hover() { run_command eldoc-doc-buffer; }
undo() { keys C-g && keys C-_; }
redo() { run_command undo-redo; }
save_and_quit() { keys C-u C-x s && keys C-x C-c; }
