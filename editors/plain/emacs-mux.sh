# Sourced by run.sh: Emacs with Eglot as in emacs.sh, with gopls and ploke-lsp together, as "ploke-lsp setup eglot" writes
# it for a server that is there.

. "$here/emacs.sh"
add_server() {
  ln -sf "$(realpath "${PLOKE_TEST_SERVERS:-$here/../../build/real-servers}/bin/gopls")" "$scratch/bin/gopls"
  export GOPROXY=off
}

# What gopls knows, and what ploke-lsp learns from it.
beyond() {
  find 'greet.Salutation'
  shows_by first_problem 'gopls tells of a mistake' 'undefined: greet.Salutation'
  open greet/greet.go
  find 'hello() +'
  shows 'gopls tells of the symbol at the cursor' 'func hello\(\) string'
  keys C-a C-s && text 'hello' && keys Enter # behind the name
  run_command xref-find-definitions
  shows 'and finds its definition' 'greet.go +All L14 '
  open_view chat.ploke.md
  type_at_end 'who calls hello?'
  action 'send'
  agree
  shows 'ploke-lsp knows callers from gopls' 'The places are those of gopls v[0-9.]+ in'
}
