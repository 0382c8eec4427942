package compiler

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// A State says how a server is.
type State struct {
	Root      string
	Command   []string
	PID       int    // of the process that runs it
	Name      string // "" if it does not run
	Readiness Readiness
	Bytes     int64  // of memory; 0 if that is not known
	Problem   string // why it does not run; "" if it does, or is not needed
}

// String is a line for people.
func (s State) String() string {
	switch {
	case s.Problem != "":
		return fmt.Sprintf("%s for %s: %s", s.Command[0], s.Root, s.Problem)
	case s.Name == "":
		return fmt.Sprintf("%s for %s is not running: it is started when it is needed", s.Command[0], s.Root)
	}
	line := fmt.Sprintf("%s for %s, of process %d: ", s.Name, s.Root, s.PID)
	line += s.Readiness.words()
	if s.Bytes > 0 {
		line += fmt.Sprintf(", %d MiB of memory", s.Bytes>>20)
	}
	return line
}

// words says for people how far a server is.
func (r Readiness) words() string {
	return map[Readiness]string{Complete: "it has read the project", Loading: "it is reading the project",
		Unknown: "it does not say whether it has read the project"}[r]
}

// States returns how the servers are that were needed here, or that another process runs. It waits for that for a
// second at most.
func (s *Servers) States(ctx context.Context) (states []State) {
	ctx, cancel := context.WithTimeout(ctx, stateTime)
	defer cancel()
	all, needed := s.configured()
	found := make([]State, len(all))
	var asking sync.WaitGroup
	for i, serving := range all {
		asking.Go(func() { found[i] = serving.stateAnywhere(ctx) })
	}
	asking.Wait()
	for i, serving := range all {
		if slices.Contains(needed, serving) || found[i].Name != "" {
			states = append(states, found[i])
		}
	}
	slices.SortFunc(states, func(a, b State) int {
		return cmp.Or(cmp.Compare(a.Root, b.Root), slices.Compare(a.Command, b.Command))
	})
	return states
}

// configured returns the servers that were needed, and with them those that could be.
func (s *Servers) configured() (all, needed []*server) {
	s.mu.Lock()
	defer s.mu.Unlock()
	needed = slices.Collect(maps.Values(s.all))
	known := maps.Clone(s.all)
	for _, root := range s.options.Workspace.Roots() {
		for _, command := range s.options.Commands() {
			k := keyOf(root, command)
			if len(command.Command) > 0 && known[k] == nil {
				known[k] = newServer(s.options, root, command)
			}
		}
	}
	return slices.Collect(maps.Values(known)), needed
}

// stateAnywhere is state, of the process that runs the server.
func (s *server) stateAnywhere(ctx context.Context) State {
	state := s.state()
	if state.Name != "" || !s.shared() {
		return state
	}
	given, err := s.askOther(ctx, &view{}, request{Kind: stateOf})
	if other := given.State; err == nil && other != nil && other.Name != "" {
		state = State{Root: s.root, Command: s.command.Command, PID: other.PID, Name: shownSource(other.Name),
			Readiness: other.Readiness.known(), Bytes: other.Bytes}
	}
	return state
}
