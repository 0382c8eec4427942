package edits

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMoved moves the place of a hunk from a text to what edits make of it, and back. A place that is not certain moves nowhere.
func TestMoved(t *testing.T) {
	text := []byte("0123456789")
	made := []Edit{{Start: 2, End: 4, New: "abc"}, {Start: 6, End: 6, New: "++"}}
	for name, tt := range map[string]struct {
		place, want Edit
		uncertain   bool
	}{
		"before all":                   {place: Edit{0, 1, "x"}, want: Edit{0, 1, "x"}},
		"up to an edit":                {place: Edit{1, 2, "x"}, want: Edit{1, 2, "x"}},
		"inserted before an edit":      {place: Edit{2, 2, "x"}, want: Edit{2, 2, "x"}},
		"inserted after an edit":       {place: Edit{4, 4, "x"}, want: Edit{5, 5, "x"}},
		"up to an insertion":           {place: Edit{4, 6, "x"}, want: Edit{5, 7, "x"}},
		"from an insertion on":         {place: Edit{6, 7, "x"}, want: Edit{9, 10, "x"}},
		"after all":                    {place: Edit{9, 10, "x"}, want: Edit{12, 13, "x"}},
		"inserted beside an insertion": {place: Edit{6, 6, "x"}, uncertain: true},
		"around an insertion":          {place: Edit{5, 7, "x"}, uncertain: true},
		"into an edit":                 {place: Edit{3, 5, "x"}, uncertain: true},
		"within an edit":               {place: Edit{3, 3, "x"}, uncertain: true},
	} {
		t.Run(name, func(t *testing.T) {
			there, ok := movedHunks([]Hunk{{Edit: tt.place}}, made)
			if ok == tt.uncertain {
				t.Fatalf("certain: %v", ok)
			}
			if tt.uncertain {
				return
			}
			if diff := cmp.Diff(tt.want, there[0].Edit); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
			back, ok := movedHunks(there, inverted(text, made))
			if !ok || back[0].Edit != tt.place {
				t.Errorf("back it is %v, certain: %v", back, ok)
			}
		})
	}
}
