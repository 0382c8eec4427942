package client

import (
	"slices"
	"testing"
)

// TestTitlesAreToldApart has titles that are shown alike.
func TestTitlesAreToldApart(t *testing.T) {
	for _, tc := range []struct{ titles, want []string }{
		{[]string{"a", "b"}, []string{"a", "b"}},
		{[]string{"a", "a", "a"}, []string{"a", "a (2)", "a (3)"}},
		{[]string{"a", "a (2)", "a"}, []string{"a", "a (2)", "a (3)"}},
		{[]string{"[a](b)", "[a] (b)"}, []string{"[a] (b)", "[a] (b) (2)"}},
	} {
		if apart := toldApart(tc.titles); !slices.Equal(apart, tc.want) {
			t.Errorf("%q: %q", tc.titles, apart)
		}
	}
}
