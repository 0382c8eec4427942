package edits

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTransform(t *testing.T) {
	for name, tt := range map[string]struct {
		edit, made Edit
		want       *Edit // nil: they can't be told apart
	}{
		"behind":                      {Edit{6, 8, "x"}, Edit{1, 2, "123"}, &Edit{8, 10, "x"}},
		"before":                      {Edit{1, 2, "x"}, Edit{6, 8, "123"}, &Edit{1, 2, "x"}},
		"right behind":                {Edit{2, 3, "x"}, Edit{1, 2, ""}, &Edit{1, 2, "x"}},
		"right before":                {Edit{0, 1, "x"}, Edit{1, 2, ""}, &Edit{0, 1, "x"}},
		"the same bytes":              {Edit{1, 3, "x"}, Edit{2, 4, "y"}, nil},
		"an insertion behind a text":  {Edit{2, 2, "x"}, Edit{1, 2, "123"}, &Edit{4, 4, "x"}},
		"an insertion before a text":  {Edit{1, 1, "x"}, Edit{1, 2, "123"}, &Edit{1, 1, "x"}},
		"an insertion in a text":      {Edit{2, 2, "x"}, Edit{1, 3, "y"}, nil},
		"a text behind an insertion":  {Edit{1, 2, "x"}, Edit{1, 1, "123"}, &Edit{4, 5, "x"}},
		"a text around an insertion":  {Edit{1, 3, "x"}, Edit{2, 2, "y"}, nil},
		"two insertions in one place": {Edit{1, 1, "x"}, Edit{1, 1, "y"}, nil},
	} {
		moved, ok := transform([]Edit{tt.edit}, []Edit{tt.made})
		if ok != (tt.want != nil) {
			t.Errorf("%s: %v, %+v", name, ok, moved)
		} else if ok {
			if diff := cmp.Diff([]Edit{*tt.want}, moved); diff != "" {
				t.Errorf("%s (-want +got):\n%s", name, diff)
			}
		}
	}
}
