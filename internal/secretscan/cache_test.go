package secretscan

import (
	"slices"
	"testing"
)

// Texts whose hash nobody knows have nothing in common.
func TestTextsWithoutAHashAreNotCached(t *testing.T) {
	const secret = "ghp_R4nd0mLookingTokenOf36Characters12"
	OfText("", []byte("nothing"))
	if found := OfText("", []byte("token = \""+secret+"\"")); !slices.Equal(found, []string{secret}) {
		t.Errorf("found %q", found)
	}
	if found, known := Known(""); known {
		t.Errorf("%q is known of texts without a hash", found)
	}
}
