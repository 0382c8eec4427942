package peers

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"ploke-lsp/internal/peer"
	"ploke-lsp/internal/wake"
	"ploke-lsp/internal/workspace"
)

// Document is a document that is open in this process's editor.
type Document struct {
	Version int32
	Text    workspace.Content
	Hidden  string // why the text is not known
}

// openDocument is a document that is open in another process.
type openDocument struct {
	peer string
	peer.Document
}

// Events is what a project wants to know of the peers. Its functions may be called from several goroutines.
type Events struct {
	TextChanged      func()                                 // a text was borrowed or returned
	Returned         func(path string)                      // a file is not open in any of them any more
	ProposalsChanged func(proposals []string) []string      // another process has changed proposals; returns their turns
	TurnsEnded       func(turns []string)                   // the proposals of turns of other processes are ready
	Running          func(turnID string) (hasNotEnded bool) // about a turn of this process
}

// proposalNews are changes of proposals that the peers have not been told of.
type proposalNews struct {
	turnOf map[string]string // the turns of the proposals, by their ids
	ended  map[string]bool   // turns
}

// listLimit is how long after the start a caller waits for what the peers have open. It is short,
// since an editor may have been suspended in the same terminal.
const listLimit = 500 * time.Millisecond

// AwaitListed waits until the peers that were there at the start have told what they have open.
func (t *Group) AwaitListed(ctx context.Context) {
	ctx, cancel := context.WithDeadline(ctx, t.started.Add(listLimit))
	defer cancel()
	t.mu.Lock()
	members := slices.Collect(maps.Values(t.members))
	t.mu.Unlock()
	for _, m := range members {
		m.AwaitListed(ctx)
	}
}

// Set notes the text of a document that is open in this process's editor, and that it is closed if doc is nil.
func (t *Group) Set(path string, doc *Document) {
	if !t.Editor {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if doc == nil {
		delete(t.own, path)
	} else {
		t.own[path] = *doc
	}
	t.pending[path] = true
	wake.Up(t.wake)
}

// ProposalChanged notes that this process has changed a proposal of a turn.
func (t *Group) ProposalChanged(id, turnID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.news.turnOf[id] = turnID
	wake.Up(t.wake)
}

// TurnEnded notes that the proposals of a turn are ready for the person.
func (t *Group) TurnEnded(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.news.ended[id] = true
	wake.Up(t.wake)
}

// tell tells the peers what was noted.
func (t *Group) tell() {
	t.mu.Lock()
	pending, own, news := t.pending, map[string]Document{}, t.news
	for path := range pending {
		if doc, open := t.own[path]; open {
			own[path] = doc
		}
	}
	t.pending, t.news = map[string]bool{}, proposalNews{map[string]string{}, map[string]bool{}}
	t.mu.Unlock()
	for path := range pending {
		for root, m := range t.members {
			if isWithin(root, path) {
				t.tellDocument(m, path, own)
			}
		}
	}
	for _, turnID := range news.turnOf {
		if !t.On.Running(turnID) { // such as a proposal of no turn
			news.ended[turnID] = true
		}
	}
	if len(news.turnOf)+len(news.ended) > 0 {
		maps.Copy(t.waiting, news.turnOf)
		maps.DeleteFunc(t.waiting, func(_, turnID string) bool { return news.ended[turnID] })
		for _, m := range t.members {
			m.Announce(slices.Collect(maps.Keys(news.turnOf)), slices.Collect(maps.Keys(news.ended)),
				slices.Collect(maps.Keys(t.waiting)))
		}
	}
}

// isWithin reports whether a path lies in a folder, by name.
func isWithin(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// tellDocument tells what is open. The text of a file that only the editor may read stays
// in this process.
func (t *Group) tellDocument(m *peer.Member, path string, own map[string]Document) {
	doc, open := own[path]
	switch skip := t.Workspace.Skipped(path); {
	case !open:
		m.Remove(path)
	case doc.Hidden != "":
		m.Hide(path, doc.Hidden)
	case skip != "":
		m.Hide(path, string(skip))
	default:
		m.Set(path, doc.Version, doc.Text)
	}
}
