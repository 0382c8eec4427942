package setup

import (
	"bytes"
	"time"

	"github.com/aymanbagabas/go-udiff"
)

// A Plan is a change of a file that can be shown before it is made.
type Plan struct {
	original original
	text     []byte   // of the file afterwards
	byHand   []string // what the person has to do in addition
}

// Changes reports whether the file is another afterwards.
func (p Plan) Changes() bool {
	return p.original.info == nil || !bytes.Equal(p.text, p.original.text)
}

// Diff returns the change as a unified diff, "" if there is none.
func (p Plan) Diff() string {
	return udiff.Unified(p.original.path, p.original.path, string(p.original.text), string(p.text))
}

// Apply makes the change. A copy of a file that was there is kept. If there is an error, the file is as
// it was, or as another program has changed it meanwhile.
func (p Plan) Apply(now time.Time) (change Change, err error) {
	change.ByHand = p.byHand
	if !p.Changes() {
		return change, nil
	}
	if p.original.info != nil {
		if change.Copy, err = p.original.copy(now); err != nil {
			return Change{}, err
		}
	}
	change.Done = true
	return change, p.original.replace(p.text)
}
