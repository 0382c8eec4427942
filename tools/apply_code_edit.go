package tools

import (
	"context"
	_ "embed"
	"errors"
	"strings"

	"ploke-lsp/tools/placing"
	"ploke-lsp/tools/wording"
)

//go:embed apply_code_edit.md
var applyCodeEditDescription string

// stageAttempts bounds how often a call is repeated because the text has changed meanwhile.
const stageAttempts = 10

type applyCodeEditArgs struct {
	Edits  []placing.Request `json:"edits" secrets:"written"`
	Reason string            `json:"reason,omitempty" jsonschema:"for the user"`
	Answer string            `json:"answer,omitempty"`
}

func (d Deps) applyCodeEdit(ctx context.Context, env Env, args applyCodeEditArgs) (Result, error) {
	if len(args.Edits) == 0 {
		return Result{}, wording.BadValue("edits", "there are no edits", "send at least one")
	}
	for attempt := 1; ; attempt++ {
		call, err := d.placeEdits(ctx, env, args.Edits)
		if err != nil {
			return Result{}, nothingStaged(err)
		}
		result, summary, err := d.stageBatch(ctx, env, args.Reason, "changes to "+d.fileNames(call.Operations),
			call.Operations)
		// The text may have changed since it was read.
		var failure *wording.Failure
		if stale := errors.As(err, &failure) && failure.Code == codeStale; stale && attempt < stageAttempts {
			continue
		}
		if err != nil {
			return Result{}, nothingStaged(err)
		}
		echoedCall{call}.echo(ctx, result)
		done, err := OK(result, summary)
		if !result.broken() {
			done.Answer = strings.TrimSpace(args.Answer)
		}
		return done, err
	}
}

// nothingStaged adds to a failure that none of the call's edits is staged.
func nothingStaged(err error) error {
	var failure *wording.Failure
	if !errors.As(err, &failure) {
		return err
	}
	f := *failure
	f.Message += "; nothing was staged"
	return &f
}
