package trials

import (
	"context"

	"ploke-lsp/internal/sandbox"
)

// RefuseOverlays has the kernel refuse overlays, as it does on FUSE and NFS.
func (t *Trials) RefuseOverlays() {
	t.box = func(roots []string) (sandbox.Sandbox, error) {
		box, err := sandbox.New(roots)
		return refusing{box}, err
	}
}

// refusing is a sandbox on a disk without overlays.
type refusing struct{ sandbox.Sandbox }

func (refusing) CanOverlay(context.Context, sandbox.Mount) error {
	return &sandbox.LaunchError{Reason: "an overlay: invalid argument"}
}
