//go:build !linux

package sandbox

import (
	"context"
	"errors"
)

// Sandbox is not to be had on this system.
type Sandbox struct{}

// ErrNone says that there is no sandbox on this system.
var ErrNone = errors.New("this system has no sandbox that ploke-lsp can use")

// New returns [ErrNone].
func New([]string) (*Sandbox, error) { return nil, ErrNone }

// Enter does nothing.
func Enter() {}

// Run returns [ErrNone].
func (*Sandbox) Run(context.Context, Command) (int, error) { return 0, ErrNone }

// Toolchains returns [ErrNone].
func (*Sandbox) Toolchains([]string, string) ([]Mount, error) { return nil, ErrNone }
