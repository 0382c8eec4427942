# Sourced by run.sh: what is known of a proposal, in an editor that shows no questions. A code action is the permission
# to check it. The folder imports nothing, so that its check needs no package to be built first.

printf '[proof]\nrounds = 0\n' >"$XDG_CONFIG_HOME/ploke-lsp/config.toml"
folder=$scratch/proof
make_workspace "$folder"
rm "$folder/main.go"
git -C "$folder" init -q

edit greet/greet.go
shows 'the editor starts in another folder' "$code"'func Greeting' "$ready"
append '// ploke: delete hello'
action 'do this'
shows 'a comment makes a proposal that does not build, and nothing is asked' '\(2 places, 1 file\): code actions in'
action 'check "'
shows_by first_problem 'the problem is shown where the proposal makes it' 'undefined: hello'
type_above 'package greet' '// What is typed makes it stale.'
shows_by first_problem 'what is stale is shown no more' 'proposed .*hello'
action 'always check'
shows_by first_problem 'it can be checked again' 'undefined: hello'
action 'accept "delete hello'
agree
shows_no_more 'a decision ends it' 'undefined: hello'
save_and_quit
report "$(await left; echo $?)" 'the editor saves and ends once more'
