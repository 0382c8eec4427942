package testbed

import "errors"

// NamedPipe fails: Windows has no named pipes in folders.
func NamedPipe(string) error { return errors.ErrUnsupported }

// LimitFiles fails: Windows does not limit the length of files.
func LimitFiles(uint64) (lift func() error, err error) { return nil, errors.ErrUnsupported }
