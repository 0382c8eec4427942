package shards

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"ploke-lsp/index/postings"
)

// TestWhatASegmentThatDoesNotOpenMeans tells damage from files that are gone, and from what will pass.
func TestWhatASegmentThatDoesNotOpenMeans(t *testing.T) {
	for cause, damage := range map[error]bool{
		postings.ErrDamaged: true, fs.ErrPermission: true, syscall.EISDIR: true, errors.New("another one"): true,
		fs.ErrNotExist: false, syscall.EMFILE: false, syscall.ENFILE: false, syscall.ENOMEM: false,
	} {
		err := segmentError(&fs.PathError{Op: "open", Path: "postings-1.seg", Err: cause})
		if errors.Is(err, ErrDamaged) != damage || !errors.Is(err, cause) {
			t.Errorf("%v leads to: %v", cause, err)
		}
	}
}
