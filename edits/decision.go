package edits

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strings"
)

// Version names what a proposal shows: the proposed texts with the texts that they are made
// against, and which of them are undecided. A turn or a person that amends the proposal gives it
// another one. "" is not a version.
type Version string

// Content returns the part of the version that names the texts. Only amending a proposal changes it.
func (v Version) Content() string {
	content, _, _ := strings.Cut(string(v), "-")
	return content
}

// SameTexts reports whether both versions propose the same.
func (v Version) SameTexts(other Version) bool { return v.Content() == other.Content() }

// A Decision says what is decided on, and which version of it the one who decides has seen. A
// proposal that has become another one is not decided on. Nor are hunks, files or a whole proposal
// of which some hunks were decided meanwhile. Names of files are part of what was shown; their mode
// is not, since no proposal changes it.
type Decision struct {
	ID    string // of the proposal
	Shown Version
	Selection
}

// ChangedError says that a proposal is not, or not any more, what was shown to the one who decided.
type ChangedError struct{}

func (*ChangedError) Error() string { return "the proposal has changed; look again" }

// Whole returns a decision on everything in p as it is here.
func (p *Proposal) Whole() Decision { return Decision{ID: p.ID, Shown: p.Version()} }

// Version returns the version of p.
func (p *Proposal) Version() Version {
	var open []string
	for _, c := range p.Changes {
		for _, h := range c.Hunks {
			if h.State.open() && h.State != Accepted { // what is being applied is not shown as undecided
				open = append(open, h.ID)
			}
		}
	}
	slices.Sort(open) // the parts of a proposal change places when they are decided on
	sum := sha256.New()
	for _, id := range open {
		writeField(sum, id)
	}
	return Version(p.contentName() + "-" + hex.EncodeToString(sum.Sum(nil)[:4]))
}

// contentName names the proposed texts of p.
func (p *Proposal) contentName() string {
	if p.content == "" { // a release stored it that kept none
		return contentOf("", p.Changes)
	}
	return p.content
}

// contentOf returns the name of the texts that come of amending a proposal. That of the proposal
// before is part of it, so that an amendment of a large proposal costs no more than one of a small
// one.
func contentOf(before string, changes []*Change) string {
	sum := sha256.New()
	writeField(sum, before)
	for _, c := range changes {
		for _, field := range []string{string(c.Op), c.Path, c.To, c.BaseHash, c.Charset} {
			writeField(sum, field)
		}
		for _, h := range c.Hunks {
			fmt.Fprintf(sum, "%d %d %t ", h.Edit.Start, h.Edit.End, h.Renames)
			writeField(sum, h.ID)
			writeField(sum, h.Edit.New)
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// writeField writes a text with its length, so that no two lists of texts read the same.
func writeField(sum hash.Hash, text string) {
	fmt.Fprintf(sum, "%d:%s,", len(text), text)
}

// CheckTexts returns a *ChangedError if p does not propose what was shown. Whoever decides does so, too.
func (d *Decision) CheckTexts(p *Proposal) error {
	if d.Shown == "" || d.Shown.Content() != p.contentName() {
		return &ChangedError{}
	}
	return nil
}

// checkUndecided returns a *ChangedError if something that the decision names was decided since it
// was shown: a hunk, any of a file or anything of a whole proposal. match reports what it names.
func (d *Decision) checkUndecided(p *Proposal, match func(*Change, Hunk) bool) error {
	if d.Shown == p.Version() && len(d.Hunks) == 0 {
		return nil
	}
	if len(d.Files) == 0 && len(d.Hunks) == 0 ||
		len(p.matching(func(c *Change, h Hunk) bool { return match(c, h) && !h.State.open() })) > 0 {
		return &ChangedError{}
	}
	return nil
}

// contentBefore names the proposed texts of a proposal that a batch amends; "" if there is none.
func (s *Staging) contentBefore(p *Proposal) string {
	if p == nil {
		return ""
	}
	return p.contentName()
}
