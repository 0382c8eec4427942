package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	ploke "ploke-lsp/lsp/protocol"
)

// permissionTime is how long a question stays open, which is as long as a server waits for its answer.
const permissionTime = 5 * time.Minute

// A permissionAsker asks the person on the terminal for what a turn wants to do. Where there is no terminal, it rejects
// everything and says so.
type permissionAsker struct {
	shown  *liveAnswer
	person *guide // nil if no person can be asked
	opened *os.File
}

// newPermissionAsker returns one that reads from the terminal, whatever standard input is. The caller must close it.
func newPermissionAsker(shown *liveAnswer) *permissionAsker {
	a, env := &permissionAsker{shown: shown}, shown.env
	if !writesToTerminal(env.stderr) {
		return a
	}
	if in, ok := env.stdin.(*os.File); !ok || !isTerminal(in) {
		terminal, err := os.OpenFile(terminalInput, os.O_RDWR, 0)
		if err != nil {
			return a // the terminal is not that of this process
		}
		a.opened, env.stdin = terminal, terminal
	}
	env.stdout = env.stderr // which is the person's, wherever the answer goes
	a.person = newGuide(nil, env)
	return a
}

func (a *permissionAsker) close() {
	if a.opened != nil {
		a.opened.Close()
	}
}

// ask returns the person's answer. Only an explicit one permits.
func (a *permissionAsker) ask(ctx context.Context, p *ploke.PermissionAskParams) ploke.PermissionAnswer {
	a.shown.endThought()
	if a.person == nil {
		a.shown.note(rejectedUnasked(p))
		return ploke.PermissionRejectOnce
	}
	a.shown.note("may it " + p.Title + "?")
	for line := range strings.Lines(p.Detail) {
		a.person.say("%s\n", fitting(a.shown.env.stderr, "  "+strings.TrimSuffix(line, "\n")))
	}
	question := "Allow it? y: once"
	if !p.OnlyOnce {
		question += ", a: always"
	}
	if p.Exact {
		question += ", e: always, exactly this"
	}
	ctx, cancel := context.WithTimeout(ctx, permissionTime)
	defer cancel()
	typed, err := a.person.ask(ctx, question+" [y/N]")
	if ctx.Err() != nil {
		a.person = nil // the question that is over still reads what is typed
	}
	if err != nil {
		return ploke.PermissionRejectOnce
	}
	return answerTyped(p, typed)
}

// answerTyped returns the answer that a line stands for.
func answerTyped(p *ploke.PermissionAskParams, line string) ploke.PermissionAnswer {
	switch line = strings.ToLower(line); {
	case line == "y" || line == "yes":
		return ploke.PermissionAllowOnce
	case (line == "a" || line == "always") && !p.OnlyOnce:
		return ploke.PermissionAllowAlways
	case (line == "e" || line == "exactly") && p.Exact:
		return ploke.PermissionAllowExact
	}
	return ploke.PermissionRejectOnce
}

// rejectedUnasked says what no person was asked for, and what would permit it.
func rejectedUnasked(p *ploke.PermissionAskParams) string {
	how := `run "ploke-lsp ask" on a terminal and answer "a", which holds from then on, also without a terminal`
	if p.OnlyOnce {
		how = `run "ploke-lsp ask" on a terminal, which asks each time`
	}
	return fmt.Sprintf("not permitted, since no terminal is here to ask on: %s; to permit it, %s", p.Title, how)
}
