package mcpclient

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"ploke-lsp/internal/process"
)

const (
	stopGrace  = 2 * time.Second // for a program to end by itself
	errorBytes = 4 << 10         // of the end of a program's standard error that are kept
)

// program is an MCP server that this process has started.
type program struct {
	*process.Piped
	cmd    *exec.Cmd
	stdout *messageReader
	errors *lastBytes
}

// startProgram starts the program of a server, which may send floodBytes bytes at once. The end of its
// standard error is kept for messages.
func startProgram(s Server, floodBytes int64) (*program, error) {
	dir, err := folder(s)
	if err != nil {
		return nil, err
	}
	p := &program{cmd: exec.Command(s.Command, s.Args...), errors: &lastBytes{limit: errorBytes}}
	p.cmd.Dir, p.cmd.Env = dir, environment(s, dir)
	if p.Piped, err = process.StartPiped(p.cmd, p.errors); err != nil {
		return nil, fmt.Errorf("it can't be started: %w", err)
	}
	p.stdout = newMessageReader(p.Stdout, floodBytes)
	return p, nil
}

// folder returns the folder that a server's program runs in.
func folder(s Server) (dir string, err error) {
	if dir = s.Dir; dir == "" {
		dir, err = os.UserHomeDir()
	}
	if err == nil {
		_, err = os.Stat(dir) // else the system would say that the program does not exist
	}
	if err != nil {
		return "", fmt.Errorf("there is no folder to run it in: %w", err)
	}
	return dir, nil
}

// environment returns the environment variables of a server's program, which runs in dir.
func environment(s Server, dir string) []string {
	all := process.Environment(dir, s.EnvKeep)
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		all = append(all, name+"="+s.Env[name])
	}
	return all
}

// how says how a program has ended that has.
func (p *program) how() string {
	if p.cmd.ProcessState != nil {
		return "it ended: " + p.cmd.ProcessState.String()
	}
	return fmt.Sprintf("it ended: %v", p.Err)
}

// stop lets the program end by itself, and ends it if it does not. It waits for the end.
func (p *program) stop() {
	p.Stdin.Close()
	if !p.EndsWithin(stopGrace) {
		p.Kill()
	}
}

// lastWords returns the last line that the program wrote to its standard error.
func (p *program) lastWords() string {
	lines := strings.Split(strings.TrimSpace(p.errors.String()), "\n")
	return shorten(lines[len(lines)-1], 300)
}

// lastBytes keeps the end of what is written to it.
type lastBytes struct {
	limit int

	mu   sync.Mutex
	kept []byte
}

func (l *lastBytes) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, p[max(0, len(p)-l.limit):]...)
	l.kept = append(l.kept[:0], l.kept[max(0, len(l.kept)-l.limit):]...)
	return len(p), nil
}

func (l *lastBytes) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.ToValidUTF8(string(l.kept), "")
}
