package disk_test

import (
	"testing"

	"ploke-lsp/internal/disk"
)

func TestURI(t *testing.T) {
	for path, want := range map[string]string{
		"/state/odd ?#%41 name": "file:/state/odd%20%3F%23%2541%20name",
		"C:/state/a.db":         "file:C:/state/a.db",
		"//host/share/a.db":     "file:////host/share/a.db",
	} {
		if got := disk.URI(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}
