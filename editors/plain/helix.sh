# Sourced by run.sh: Helix 25.01, with the configuration that "ploke-lsp setup helix" writes.

helix=$here/../../build/helix/bin/hx

configure() {
  mkdir -p "$scratch/bin" "$XDG_CONFIG_HOME/helix"
  ln -sf "$server" "$scratch/bin/ploke-lsp"
  "$PLOKE_BINARY" setup helix --write >"$scratch/setup"
}

questions=none
ready='func Greeting'
edit() { start "PATH=$scratch/bin:$PATH ${HELIX:-$helix} $1"; }
command() { text ":$1" && keys Enter; }
open() { command "open $1"; }
open_view() { open ".ploke/$1"; }
find() { text "gg/$1" && keys Enter; }
append() { insert "geo$1"; }
type_at_end() { insert "geo$1"; }
type_above() { find "$1" && insert "O$2"; }

# Escape and a key right after it would be one key with Alt.
insert() { text "$1" && await on_screen '^ INS ' && keys Escape && await on_screen '^ NOR '; }

# Chooses the first code action whose title begins so. Helix says at once that there is none if the server does not
# know the file yet.
action() {
  for _ in $(seq 30); do
    text ' a'
    await on_screen "ploke: $1|^No c" || return
    on_screen "ploke: $1" && break
    sleep 0.5
  done
  for _ in $(seq 40); do
    chosen "$1" && keys Enter && return
    keys Down
    sleep 0.1
  done
}
chosen() { screen capture-pane -p -e | grep -qE $'\e\\[([0-9;]*;)?7m(\e\\[[0-9;]*m)* ploke: '"$1"; }
agree() { :; }
ask_about_this() { action 'ask about this'; }

first_problem() { text 'gg]d'; }
beyond() { :; }
undo() { text u; }
redo() { text U; }
save_and_quit() { command wqa; }
