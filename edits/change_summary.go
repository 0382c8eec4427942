package edits

import (
	"maps"
	"slices"
	"sync"
)

// changeSummary is what a proposal that is being staged has besides its changes, so that a batch does not cost more
// the more changes there are: it looks at each change only once. The zero value says that nothing is known. The
// changes that it is about are not modified any more.
type changeSummary struct {
	names  *changeIndex  // of the changes
	counts map[State]int // number of the changes' hunks in each state; not modified
	stored []*Change     // the changes as they are stored as the version updatedAt
}

// changeIndex finds the changes of a file by its name. The versions of a proposal that follow each other share it: it
// has the places of all their changes, so that its users must compare the names. It is safe for concurrent
// use.
type changeIndex struct {
	key func(path string) string // is the same for all spellings of a name

	mu     sync.RWMutex
	places map[string][]int // indices of changes, ascending, by the key of the old or new path
}

func newChangeIndex(key func(path string) string, changes []*Change) *changeIndex {
	x := &changeIndex{key: key, places: make(map[string][]int, len(changes))}
	for i, c := range changes {
		x.add(i, c)
	}
	return x
}

// add notes that a version of the proposal has the change at this place.
func (x *changeIndex) add(place int, c *Change) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, path := range []string{c.Path, c.To} {
		if path == "" {
			continue
		}
		key := x.key(path)
		if i, found := slices.BinarySearch(x.places[key], place); !found {
			x.places[key] = slices.Insert(slices.Clip(x.places[key]), i, place)
		}
	}
}

// of returns the places where changes of the file may be. The caller must not modify the slice.
func (x *changeIndex) of(path string) []int {
	key := x.key(path)
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.places[key]
}

// ChangesOf returns the changes of the files with these canonical paths, old or new, in their order.
func (p *Proposal) ChangesOf(paths ...string) (changes []*Change) {
	matches := func(c *Change) bool {
		return slices.Contains(paths, c.Path) || c.To != "" && slices.Contains(paths, c.To)
	}
	if p.names == nil {
		return slices.DeleteFunc(slices.Clone(p.Changes), func(c *Change) bool { return !matches(c) })
	}
	var places []int
	for _, path := range paths {
		places = append(places, p.names.of(path)...)
	}
	slices.Sort(places)
	for _, i := range slices.Compact(places) {
		if i < len(p.Changes) && matches(p.Changes[i]) {
			changes = append(changes, p.Changes[i])
		}
	}
	return changes
}

// hunkStates returns how many hunks are in each state that some are in. The caller must not modify it.
func (p *Proposal) hunkStates() map[State]int {
	if p.counts != nil {
		return p.counts
	}
	states := make(map[State]int)
	addStates(states, p.Changes, 1)
	return states
}

// count sets p.counts from those of the version before, which may be nil, and the changes that are not in both.
func (p *Proposal) count(before *Proposal) {
	var was []*Change
	states := make(map[State]int)
	if before != nil {
		was, states = before.Changes, maps.Clone(before.hunkStates())
	}
	both := min(len(was), len(p.Changes))
	for i := range both {
		if was[i] != p.Changes[i] {
			addStates(states, was[i:i+1], -1)
			addStates(states, p.Changes[i:i+1], 1)
		}
	}
	addStates(states, was[both:], -1)
	addStates(states, p.Changes[both:], 1)
	p.counts = states
}

// addStates adds n for each hunk of the changes to the number of its state.
func addStates(states map[State]int, changes []*Change, n int) {
	for _, c := range changes {
		for i := range c.Hunks {
			state := c.Hunks[i].State
			if states[state] += n; states[state] == 0 {
				delete(states, state)
			}
		}
	}
}
