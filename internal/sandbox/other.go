//go:build !linux && !darwin

package sandbox

import "errors"

// New returns an error: this system has no sandbox that this program can use.
func New([]string) (Sandbox, error) {
	return nil, errors.New("this system has no sandbox that ploke-lsp can use")
}

// Enter does nothing.
func Enter() {}
