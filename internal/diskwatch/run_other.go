//go:build !linux && !windows

package diskwatch

import (
	"context"
	"errors"
)

func run(context.Context, Options) error {
	return errors.New("folders are not watched on this system")
}
