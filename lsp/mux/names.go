package mux

import (
	"encoding/json"
	"fmt"
)

// maxNames bounds how many names of one kind a server may have at a time.
const maxNames = 4096

// names keeps apart what both servers name by themselves, as JSON: each name is the editor's, too, unless the other
// server has it there.
type names struct {
	kind  string
	made  int
	owner map[string]named     // by the editor's name
	names [2]map[string]string // the editor's, by the server's
}

// named is a server's name.
type named struct {
	side side
	own  string
}

func newNames(kind string) names {
	return names{kind: kind, owner: map[string]named{}, names: [2]map[string]string{{}, {}}}
}

// add returns the editor's name for one of a server; ok is false if there is none, or if the server has too many.
func (n *names) add(s side, own json.RawMessage) (name json.RawMessage, ok bool) {
	if old, known := n.names[s][string(own)]; known {
		return json.RawMessage(old), true
	}
	if len(own) == 0 || len(n.names[s]) >= maxNames {
		return nil, false
	}
	name = own
	for {
		if _, used := n.owner[string(name)]; !used {
			break
		}
		n.made++
		name = json.RawMessage(fmt.Sprintf("%q", fmt.Sprintf("ploke-mux/%s/%d", n.kind, n.made)))
	}
	n.owner[string(name)] = named{s, string(own)}
	n.names[s][string(own)] = string(name)
	return name, true
}

// of returns the editor's name for one of a server; ok is false if the editor has it from the other server.
func (n *names) of(s side, own json.RawMessage) (name json.RawMessage, ok bool) {
	if known, added := n.names[s][string(own)]; added {
		return json.RawMessage(known), true
	}
	_, used := n.owner[string(own)]
	return own, !used
}

// ownerOf returns whose an editor's name is.
func (n *names) ownerOf(name json.RawMessage) (owner named, ok bool) {
	owner, ok = n.owner[string(name)]
	return owner, ok
}

// remove forgets a server's name.
func (n *names) remove(s side, own json.RawMessage) {
	if name, known := n.names[s][string(own)]; known {
		delete(n.owner, name)
		delete(n.names[s], string(own))
	}
}

// take forgets all names of a server, and returns the editor's.
func (n *names) take(s side) (all []json.RawMessage) {
	for _, name := range n.names[s] {
		delete(n.owner, name)
		all = append(all, json.RawMessage(name))
	}
	n.names[s] = map[string]string{}
	return all
}
