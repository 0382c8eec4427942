#!/usr/bin/env bash
# Tests the plugin in Neovim's terminal interface, run in tmux: types keys and checks captured screens.
# usage, from run.sh only, in the workspace's folder: tui.sh NVIM
set -u
here=$(dirname "$0")
. "$here/terminal.sh"

screen new-session -d -x 150 -y 40 "$1 -u $here/init.lua -i NONE -n greet/greet.go"
shows 'the file and the status line' 'func Greeting.*' tui-open
shows 'the index is ready' ' ploke *$' tui-ready
command 'Ploke ask'
shows 'the prompt is open' '── Ask ── Normal <CR>, Insert <C-s> ── g\? keys' tui-prompt
keys -l 'How does Greeting'
keys Enter
keys -l 'make a greeting?'
keys C-s
shows 'the answer cites the code' 'greet.go:[0-9]+-[0-9]+ → Greeting' tui-answer
shows 'the turn ends' ' ploke *$' tui-ended
command 'Ploke'
keys gg
shows 'the question heads the chat' '> make a greeting\?' tui-asked
shows 'the tool calls are shown' '› 2 steps: code_item_lookup, code_item_edges' tui-tool
keys G
command 'Ploke ask rename Greeting to Salutation'
shows 'a proposal is offered' 'Proposal: .* waiting; :Ploke next' tui-proposal
shows 'the status line counts its hunks' 'ploke 0/3 ' tui-proposal
command 'Ploke next'
shows 'the first hunk is shown in the file' '^// Salutation returns' tui-hunk
shows 'with its number and its keys' '1/3 · gza accept, gzr reject, ]k next' tui-hunk
shows 'the status line has the number' 'ploke 1/3 ' tui-hunk
shows 'a long line that comes is wrapped' '^ogram.s user\. ' tui-hunk
command 'vertical resize 110'
shows 'and is not when there is room' '^// Salutation returns .* user\. ' tui-wide
command 'wincmd ='
keys -l ']k'
shows 'the next one follows' '2/3 · gza accept, gzr reject' tui-next
keys -l 'gza'
shows 'its text is changed' 'ploke 2/2 |ploke 1/2 ' tui-accepted-hunk
command 'Ploke diff'
shows 'the diff is shown' 'ploke://proposed/' tui-diff
command 'tabclose'
command 'Ploke hunks'
shows 'the list is shown' '\[Quickfix List\]|main.go\|10 ' tui-list
command 'cclose'
command 'Ploke accept'
shows 'the text is changed' '^ +fmt.Println\(greet.Salutation\("Ada"\)\) +│' tui-accepted
shows 'and nothing waits' ' ploke *$' tui-accepted
command 'qall!'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
