package tools

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ploke-lsp/edits"
)

//go:embed apply_code_edit.md
var applyCodeEditDescription string

// stageAttempts bounds how often a call is repeated because the text has changed meanwhile.
const stageAttempts = 10

// editMode is the form of an edit.
type editMode string

const (
	canonical editMode = "canonical"
	splice    editMode = "splice"
	replace   editMode = "replace"
)

// editPlace says where a canonical edit puts its code, relative to the symbol.
type editPlace string

const (
	placeReplace editPlace = "replace"
	placeBefore  editPlace = "before"
	placeAfter   editPlace = "after"
	placeFirst   editPlace = "first"
	placeLast    editPlace = "last"
	placeDelete  editPlace = "delete"
)

type applyCodeEditArgs struct {
	Edits  []codeEdit `json:"edits" secrets:"written"`
	Reason string     `json:"reason,omitempty" jsonschema:"for the user"`
}

// codeEdit is one edit in one of the three forms. Each form has its own fields.
type codeEdit struct {
	Mode             editMode  `json:"mode,omitempty"`
	File             string    `json:"file" jsonschema:"path"`
	Canon            string    `json:"canon,omitempty" jsonschema:"address in the file, as in Server::Run"`
	Kind             string    `json:"kind,omitempty" jsonschema:"tells namesakes apart"`
	At               editPlace `json:"at,omitempty"`
	Code             string    `json:"code,omitempty"`
	ExpectedHash     string    `json:"expected_hash,omitempty" jsonschema:"hash of the symbol, from code_item_lookup"`
	StartByte        *int      `json:"start_byte,omitempty"`
	EndByte          *int      `json:"end_byte,omitempty" jsonschema:"exclusive"`
	ExpectedFileHash string    `json:"expected_file_hash,omitempty"`
	Replacement      *string   `json:"replacement,omitempty"`
	Old              string    `json:"old,omitempty"`
	New              *string   `json:"new,omitempty"`
}

// form returns the edit's mode, or the one whose fields the edit has if it is missing or has none
// of its own. It is "" if that does not tell.
func (e *codeEdit) form() editMode {
	has := map[editMode]bool{
		canonical: e.Canon != "" || e.Code != "" || e.At != "",
		splice:    e.StartByte != nil || e.EndByte != nil,
		replace:   e.Old != "" || e.New != nil,
	}
	fits := slices.DeleteFunc([]editMode{canonical, splice, replace}, func(mode editMode) bool { return !has[mode] })
	if len(fits) != 1 || has[e.Mode] {
		return e.Mode
	}
	return fits[0]
}

// placed is an edit with its place in the file's text.
type placed struct {
	edits.Edit
	index   int    // in the call
	deletes string // canon of the symbol that the edit deletes
}

// fileEdits are the edits of one call to one file.
type fileEdits struct {
	src   *source
	edits []placed
}

func (d Deps) applyCodeEdit(ctx context.Context, env Env, args applyCodeEditArgs) (Result, error) {
	if len(args.Edits) == 0 {
		return Result{}, badValue("edits", "there are no edits", "send at least one")
	}
	for attempt := 1; ; attempt++ {
		operations, err := d.operations(ctx, env, args.Edits)
		if err != nil {
			return Result{}, err
		}
		result, err := d.stage(ctx, env, args.Reason, "changes to "+d.fileNames(operations), operations)
		// Another call of the turn may have staged something meanwhile: the calls of one answer
		// run at the same time.
		var failure *Failure
		if stale := errors.As(err, &failure) && failure.Code == codeStale; !stale || attempt == stageAttempts {
			return result, err
		}
	}
}

// operations returns the operations for the edits, by file in the order of the call. They refer to
// the texts that the turn sees now.
func (d Deps) operations(ctx context.Context, env Env, list []codeEdit) ([]edits.Operation, error) {
	srcs := d.sources(env)
	var files []*fileEdits
	byPath := make(map[string]*fileEdits)
	for i, e := range list {
		e.Mode = e.form()
		src, edit, err := place(ctx, srcs, e)
		if err != nil {
			return nil, inEdit(i, err)
		}
		f := byPath[src.Path]
		if f == nil {
			f = &fileEdits{src: src}
			byPath[src.Path], files = f, append(files, f)
		}
		p := placed{Edit: edit, index: i}
		if e.Mode == canonical && e.At == placeDelete {
			p.deletes = e.Canon
		}
		f.edits = append(f.edits, p)
	}
	var operations []edits.Operation
	for _, f := range files {
		operation, err := f.operation()
		if err != nil {
			return nil, err
		}
		operations = append(operations, operation)
	}
	return operations, nil
}

// place finds where an edit goes.
func place(ctx context.Context, srcs *sources, e codeEdit) (*source, edits.Edit, error) {
	src, err := srcs.named(ctx, "file", e.File)
	if err != nil {
		return nil, edits.Edit{}, err
	}
	var edit edits.Edit
	switch e.Mode {
	case canonical:
		edit, err = placeCanonical(src, e)
	case splice:
		edit, err = placeSplice(src, e)
	case replace:
		edit, err = placeReplacement(src, e)
	default:
		err = badValue("mode", "mode is missing, and the fields don't tell which one is meant",
			"send the fields of one mode: canon and code, old and new, or start_byte, end_byte, expected_file_hash and replacement")
	}
	if err == nil && changesNothing(src, edit) {
		err = &Failure{Message: "the edit changes nothing: the file already reads like that", Code: "no_change",
			Hint: "leave this edit out, or read the file again"}
	}
	return src, edit, err
}

// changesNothing reports whether the text already reads as the edit requires, with the line
// ends that staging gives it.
func changesNothing(src *source, edit edits.Edit) bool {
	old, text := string(src.Text[edit.Start:edit.End]), edit.New
	if src.crlf() {
		old, text = strings.ReplaceAll(old, "\r\n", "\n"), strings.ReplaceAll(text, "\r\n", "\n")
	}
	return old == text
}

// inEdit adds to a failure which edit of the call it concerns.
func inEdit(index int, err error) error {
	var failure *Failure
	if !errors.As(err, &failure) {
		return err
	}
	f := *failure
	path := fmt.Sprintf("edits[%d]", index)
	f.Message = path + ": " + f.Message
	f.Field = path
	if failure.Field != "" {
		f.Field = join(path, failure.Field)
	}
	return &f
}

// operation sorts the edits, an insertion before a replacement that begins at the same offset. It
// refuses edits that overlap.
func (f *fileEdits) operation() (edits.Operation, error) {
	operation := edits.Operation{Op: edits.OpEdit, Path: f.src.Path, BaseHash: f.src.Hash}
	slices.SortStableFunc(f.edits, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	for i, e := range f.edits {
		if i > 0 && f.edits[i-1].End > e.Start {
			return operation, overlap(f.edits[i-1].index, e.index, f.src.rel)
		}
	}
	if err := f.fillEmptyBlocks(); err != nil {
		return operation, err
	}
	for _, e := range f.edits {
		operation.Edits = append(operation.Edits, e.Edit)
	}
	return operation, nil
}

func overlap(a, b int, path string) *Failure {
	first, second := min(a, b), max(a, b)
	return &Failure{
		Message: fmt.Sprintf("edits[%d] and edits[%d] change the same text of %s", first, second, path),
		Code:    "overlap",
		Field:   fmt.Sprintf("edits[%d]", second),
		Hint:    "make them one edit, or send the second in a later call",
	}
}
