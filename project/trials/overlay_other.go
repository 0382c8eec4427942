//go:build !linux

package trials

import (
	"context"
	"errors"

	"ploke-lsp/internal/sandbox"
)

// overlay fails: this system has no overlays.
func (t *tree) overlay(context.Context, sandbox.Sandbox, string) error { return errors.ErrUnsupported }

// maxMemory sets no bound.
func maxMemory() int64 { return 0 }
