# Sourced by run.sh: a session of a person, the same in each editor. An editor's file has
#   configure                        writes the editor's settings
#   edit FILE                        starts the editor
#   ready                            what is on the screen once the server can be used
#   open FILE, open_view NAME        the latter is a document that ploke has written
#   find TEXT                        from the top
#   append LINE, type_at_end TEXT
#   action TITLE, ask_about_this     code actions
#   agree                            to an edit, if the editor asks
#   first_problem                    goes to the first diagnostic
#   undo, redo                       the editor's own
#   beyond                           steps of this editor alone, in main.go
#   save_and_quit

code='^[^"]{0,8}' # what an editor shows before a line

configure
git -C "$folder" init -q

edit greet/greet.go
shows 'a file is open' 'func Greeting' "$ready"

find 'func Greeting'
ask_about_this
shows 'the first action in a folder makes the chat document, and says so' 'write in .*chat\.ploke\.md|Write below, then run'

open greet/greet.go
find 'func Greeting'
action 'explain Greeting'
shows 'a line says where the answer is' 'the answer is in .*explain-Gr'
open_view explain-Greeting.md
shows 'the answer is there in full' '^ *1? *# Explain Greeting' 'main.go:[0-9]+' 'the embedded mo'

open main.go
append 'func farewell() string { return "Bye" }'
find 'func farewell'
ask_about_this
shows 'the chat document is ready' 'write in .*chat\.ploke\.md|Write below, then run'
open_view chat.ploke.md
shows 'it mentions what was asked about' '@main.go#L[0-9]+'
type_at_end 'Where is farewell?'
action 'send'
agree
shows 'the answer comes into the chat document, and knows what is not saved' '## ploke 1 · embedded' 'farewell.* main.go:13'

open main.go
append '// ploke: what uses hello?'
action 'answer'
shows 'a comment is answered' 'the answer is in .*what-uses-hello'
open_view what-uses-hello.md
shows 'with an answer' 'Greeting.* uses .*hello'

open greet/greet.go
append '// ploke: rename Greeting to Salutation'
action 'do this'
shows 'a comment makes a proposal' '\(4 places, 2 files\): code actions in'
shows_by first_problem 'the first problem is a hunk' 'proposed .*: // Salutation returns'
action 'reject this hunk'
shows_no_more 'a rejected hunk is no problem' 'proposed .*: // Salutation returns'
shows_by first_problem 'the next one is the other hunk' 'proposed .*: func Salutation'
action 'accept this hunk'
shows 'the accepted hunk is in the text, the rejected one is not' "$code"'func Salutation' "$code"'// Greeting returns'
shows 'a word says so' 'ploke: accepted \(still waiting: 2 places, 2 fi'
shows_no_more 'nor is the accepted one' 'proposed .*: func Salutation'
undo
shows 'the editor undoes it' "$code"'func Greeting'
redo
shows 'and does it again' "$code"'func Salutation'
action 'undo "rename Greeting'
agree
shows 'a code action undoes it' "$code"'func Greeting'

action 'show the diff'
shows 'the diff is ready' 'the diff is in .*review-rename-Greeting|Code actions on a block accept'
open_view review-rename-Greeting-to-Salutation.md
shows 'it has what waits' '\+.*greet.Salutation' '-// ploke: rename'
find 'greet.Salutation'
action 'accept the changes of main.go'
agree
open main.go
shows 'a file is changed from there' 'fmt.Println\(greet.Salutation'
beyond

open_view chat.ploke.md
type_at_end 'half a question'
save_and_quit
report "$(await left; echo $?)" 'the editor saves and ends'
edit greet/greet.go
shows 'the editor starts again' "$code"'func Greeting' "$ready"
ask_about_this
shows 'the chat document is there' 'write in .*chat\.ploke\.md|Write below, then run'
open_view chat.ploke.md
shows 'with its conversation, and what was typed' 'Where is farewell' 'half a question'
open greet/greet.go
shows_by first_problem 'and what waits is walked again' 'proposed .*: remove // ploke: rename'
action 'accept "rename Greeting'
agree
shows_no_more 'and accepted' '// ploke: rename'
save_and_quit
report "$(await left; echo $?)" 'the editor saves and ends again'
