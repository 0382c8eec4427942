package compiler

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// A State says how a server is.
type State struct {
	Root      string
	Command   []string
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
	line := fmt.Sprintf("%s for %s: ", s.Name, s.Root)
	line += map[Readiness]string{Complete: "it has read the project", Loading: "it is reading the project",
		Unknown: "it does not say whether it has read the project"}[s.Readiness]
	if s.Bytes > 0 {
		line += fmt.Sprintf(", %d MiB of memory", s.Bytes>>20)
	}
	return line
}

// States returns how the servers are that were needed.
func (s *Servers) States() (states []State) {
	s.mu.Lock()
	all := slices.Collect(maps.Values(s.all))
	s.mu.Unlock()
	for _, serving := range all {
		states = append(states, serving.state())
	}
	slices.SortFunc(states, func(a, b State) int {
		return cmp.Or(cmp.Compare(a.Root, b.Root), slices.Compare(a.Command, b.Command))
	})
	return states
}
