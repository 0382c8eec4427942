package placing

import (
	"errors"
	"fmt"

	"ploke-lsp/tools/wording"
)

// Faults is what is wrong with the edits of a call.
type Faults struct {
	Total int // the edits of the call
	list  []*wording.Failure
}

// Add adds an error that the model can correct; nil adds nothing. It returns any other error.
func (f *Faults) Add(err error) error {
	var failure *wording.Failure
	if !errors.As(err, &failure) {
		return err
	}
	f.list = append(f.list, failure)
	return nil
}

// Full reports whether no more edits need to be looked at.
func (f *Faults) Full() bool { return len(f.list) >= wording.MaxFaults }

// failure returns all faults as one error, or nil if there are none.
func (f *Faults) failure() error {
	switch n := len(f.list); {
	case n == 0:
		return nil
	case n == 1:
		return f.list[0]
	case f.Full():
		return &wording.Failure{Message: fmt.Sprintf("%d of the first edits are faulty; those behind them were not looked at",
			n), Code: "faulty_edits", Field: "edits",
			Hint: "send fewer edits in a call", Faults: f.list}
	default:
		return &wording.Failure{Message: fmt.Sprintf("%d faults in %s", n, wording.Plural(f.Total, "edit")),
			Code: "faulty_edits", Field: "edits",
			Hint: "correct these, and send the call again with all its edits", Faults: f.list}
	}
}

// InEdit adds to a failure which edit of the call it concerns.
func InEdit(index int, err error) error {
	var failure *wording.Failure
	if !errors.As(err, &failure) {
		return err
	}
	f := *failure
	path := fmt.Sprintf("edits[%d]", index)
	f.Message = path + ": " + f.Message
	f.Field = path
	if failure.Field != "" {
		f.Field = wording.FieldPath(path, failure.Field)
	}
	return &f
}
