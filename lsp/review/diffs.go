package review

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"ploke-lsp/edits"
	"ploke-lsp/internal/workspace"
	"ploke-lsp/lsp/document"
	ploke "ploke-lsp/lsp/protocol"
	"ploke-lsp/project"
)

// diffViewName begins the names of the documents that show proposals.
const diffViewName = "review"

// diffTopic is the topic of the diagnostics in proposals' documents.
const diffTopic document.Topic = "proposal"

// diffs are the documents that show proposals. What the person edits in one
// becomes the proposal's; what is decided is shown in it.
type diffs struct {
	Deps
	queue *Queue

	agreeing sync.Mutex // held while the documents and their proposals are made to agree

	mu  sync.Mutex
	all map[uri.URI]*proposalDocument
}

// A proposalDocument is used while the documents are made to agree, except for its id and versions.
type proposalDocument struct {
	uri  uri.URI
	id   string // of the proposal
	text string // that agreed with the proposal last
	key  string // of the proposal then; see [keyOf]

	shown, coming atomic.Pointer[shownText] // what agreed last, and what the document is told to become
}

// shownText is a text of a document, and the version of the proposal that it shows.
type shownText struct {
	text    string
	version edits.Version
}

// version returns the version of the proposal that the document shows while it reads as text. The
// editor shows a new text before the server has its answer.
func (d *proposalDocument) version(text []byte) string {
	shown := d.shown.Load()
	if coming := d.coming.Load(); coming != nil && string(text) == coming.text && coming.text != shown.text {
		shown = coming
	}
	return string(shown.version)
}

// newProposalDocument returns a document that shows these views of a proposal.
func newProposalDocument(u uri.URI, p *edits.Proposal, text string, views []edits.FileView) *proposalDocument {
	d := &proposalDocument{uri: u, id: p.ID}
	d.agreed(p, text, keyOf(views))
	return d
}

// agreed notes that the document, which reads as text, agrees with the proposal.
func (d *proposalDocument) agreed(p *edits.Proposal, text, key string) {
	d.text, d.key = text, key
	d.shown.Store(&shownText{text, p.Version()})
}

func (r *diffs) add(doc *proposalDocument) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = map[uri.URI]*proposalDocument{}
	}
	r.all[doc.uri] = doc
}

func (r *diffs) get(u uri.URI) *proposalDocument {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.all[u]
}

func (r *diffs) list() (all []*proposalDocument) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, doc := range r.all {
		all = append(all, doc)
	}
	return all
}

// ShowCommand opens a proposal as a document.
func (r *Review) ShowCommand(_ context.Context, p *ploke.ProposalParams) (any, error) {
	onUndecided(r, p.ID, "show", r.diffs.show)
	return nil, nil
}

// onUndecided does something with the proposal that has an id, or that the person chooses if there is none.
func onUndecided(r *Review, id, verb string, do func(ctx context.Context, id string) error) {
	opened := r.Project
	r.Background.Afterwards(func(ctx context.Context) error {
		all, err := opened.Edits.Proposals.Undecided(ctx)
		if err != nil {
			return err
		}
		id, err := r.chooseProposal(ctx, id, verb, all)
		if err != nil || id == "" {
			return err
		}
		return do(ctx, id)
	})
}

func (r *diffs) show(ctx context.Context, id string) error {
	proposal, views, err := undecidedViews(ctx, r.Project, id)
	if err != nil {
		return err
	}
	text := proposalText(proposal, views)
	v, err := r.file(proposal, text, "")
	if err != nil {
		return err
	}
	doc := newProposalDocument(v.URI, proposal, text, views)
	r.add(doc)
	if shown := v.Show(ctx, true); shown != document.ByShowDocument {
		r.Client.ShowMessage(protocol.MessageTypeInfo, "ploke: the diff is in %s", v.Where(shown))
	}
	r.Client.Shown.ChangesShown(id, doc.shown.Load().version)
	return nil
}

// undecidedViews returns a proposal, and its files of which something waits.
func undecidedViews(ctx context.Context, opened *project.Project,
	id string) (*edits.Proposal, []edits.FileView, error) {
	proposal, err := opened.Edits.Proposals.Get(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	views, err := undecidedOf(ctx, opened, proposal)
	return proposal, views, err
}

// undecidedOf returns the files of a proposal of which something waits.
func undecidedOf(ctx context.Context, opened *project.Project,
	proposal *edits.Proposal) (views []edits.FileView, err error) {
	all, err := opened.Edits.Preview.Files(ctx, proposal)
	if err != nil {
		return nil, err
	}
	for _, v := range all {
		if v.Undecided() {
			views = append(views, v)
		}
	}
	return views, nil
}

// agree makes the open documents and their proposals agree.
func (r *diffs) agree(ctx context.Context) {
	r.agreeing.Lock()
	defer r.agreeing.Unlock()
	r.recognizeDiffs(ctx)
	for _, doc := range r.list() {
		open := r.Documents.Get(doc.uri)
		if open == nil || open.OutOfStep != "" {
			continue
		}
		var problems []protocol.Diagnostic
		if err := r.agreeOn(ctx, doc, string(open.Text.Bytes())); err != nil {
			problems = append(problems, problemAt(err))
		}
		r.Published.Set(doc.uri, diffTopic, problems)
	}
}

// agreeOn makes one document, which reads as text, and its proposal agree. Where the person has
// changed the document, the proposal follows; else the document does. An error says why the
// person's text does not fit; then both stay.
func (r *diffs) agreeOn(ctx context.Context, doc *proposalDocument, text string) error {
	proposal, views, err := undecidedViews(ctx, r.Project, doc.id)
	if err != nil {
		return err
	}
	decided := keyOf(views) != doc.key
	switch {
	case text == doc.text && !decided:
		doc.agreed(proposal, text, doc.key) // it may have changed and changed back
		return nil
	case text == doc.text:
		return r.rewrite(ctx, doc, proposal, views)
	case decided:
		return errors.New("the proposal has changed since you edited its diff here; " +
			"copy what you need, and show the diff of the proposal again")
	}
	edited, err := readEdited(text, views)
	if err != nil {
		return err
	}
	before := []edits.Version{proposal.Version()}
	for _, e := range edited {
		if proposal, err = r.Project.Edits.EditFile(ctx, proposal.Whole(), e.path, e.after); err != nil {
			return &edits.PatchError{Line: e.header, Reason: err.Error()}
		}
		before = append(before, proposal.Version())
	}
	if views, err = undecidedOf(ctx, r.Project, proposal); err == nil {
		before = append(before, doc.shown.Load().version)
		doc.agreed(proposal, text, keyOf(views))
		r.Client.Shown.Typed(doc.id, proposal.Version(), before...)
	}
	return err
}

// keyOf identifies what the views make of the files.
func keyOf(views []edits.FileView) (key string) {
	for _, v := range views {
		key += v.Rel + " " + v.RelTo + " " + workspace.Hash([]byte(v.Before)) + " " + workspace.Hash([]byte(v.After)) + "\n"
	}
	return key
}

// editedFile is a file that a document would make something else of than its proposal does.
type editedFile struct {
	path, after string
	header      int // line of the document
}

// readEdited returns the files that a document changes. The error is an *edits.PatchError.
func readEdited(text string, views []edits.FileView) (edited []editedFile, err error) {
	sections, err := readProposalText(text, views)
	if err != nil {
		return nil, err
	}
	if len(sections) != len(views) {
		return nil, &edits.PatchError{Reason: "a file of the proposal is missing here or is here twice; " +
			"its changes stay in the proposal. " +
			"To drop them, reject them; to see them, show the diff of the proposal again"}
	}
	for i := range sections {
		section := &sections[i]
		after, err := section.after()
		if err != nil {
			return nil, err
		}
		if after != section.view.After {
			edited = append(edited, editedFile{section.view.Path, after, section.header})
		}
	}
	return edited, nil
}

// rewrite shows in a document what the proposal has become, unless the person has typed in it
// meanwhile. A client that would ask about the edit is left alone.
func (r *diffs) rewrite(ctx context.Context, doc *proposalDocument, proposal *edits.Proposal,
	views []edits.FileView) error {
	if r.Client.ConfirmsEdits {
		return errors.New("the proposal has changed since this diff was made; show the diff of the proposal again")
	}
	same, text := false, proposalText(proposal, views)
	doc.coming.Store(&shownText{text, proposal.Version()})
	err := r.Views.Edit(ctx, doc.uri, func(now []byte) (edits.Edit, bool) {
		same = string(now) == doc.text
		return changedPart(string(now), text), same
	})
	if err == nil && same {
		doc.agreed(proposal, text, keyOf(views))
		r.Client.Shown.ChangesShown(doc.id, proposal.Version())
	}
	return err
}

// changedPart returns the smallest edit that turns one text into another.
func changedPart(from, to string) edits.Edit {
	start := 0
	for start < min(len(from), len(to)) && from[start] == to[start] {
		start++
	}
	end := 0
	for end < min(len(from), len(to))-start && from[len(from)-1-end] == to[len(to)-1-end] {
		end++
	}
	start, last := document.WholeLines([]byte(from), start, len(from)-end)
	return edits.Edit{Start: start, End: last, New: to[start : len(to)-(len(from)-last)]}
}

// problemAt returns a diagnostic for what is wrong with a document.
func problemAt(err error) protocol.Diagnostic {
	line, message := 0, err.Error()
	var problem *edits.PatchError
	if errors.As(err, &problem) {
		line, message = problem.Line, problem.Reason+". Until then the proposal stays as it was"
	}
	return atLine(line, protocol.DiagnosticSeverityError, message)
}

// atLine is a diagnostic at the beginning of a line.
func atLine(line int, severity protocol.DiagnosticSeverity, message string) protocol.Diagnostic {
	at := protocol.Position{Line: uint32(line)}
	return protocol.Diagnostic{Range: protocol.Range{Start: at, End: at}, Severity: severity,
		Message: protocol.String(message)}
}
