package display

import "testing"

// TestClip counts characters, not bytes, and leaves no space before the ellipsis.
func TestClip(t *testing.T) {
	for _, tt := range []struct {
		text       string
		characters int
		want       string
	}{
		{"größer", 6, "größer"},
		{"größer", 5, "größ…"},
		{"a word and more", 7, "a word…"},
		{"a word and more", 8, "a word…"},
		{"😀😀😀", 2, "😀…"},
		{"", 1, ""},
	} {
		if got := Clip(tt.text, tt.characters); got != tt.want {
			t.Errorf("%q in %d characters: %q, want %q", tt.text, tt.characters, got, tt.want)
		}
	}
}
