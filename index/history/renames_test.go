package history

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRenamedFiles lists which files get the votes of the oldest commit, and their share
// of what the newest name would get.
func TestRenamedFiles(t *testing.T) {
	touch := Commit{Subject: "Parse durations", Files: []string{"a.go"}}
	move := func(renames ...Rename) Commit { return Commit{Subject: "Move", Renames: renames} }
	for name, tt := range map[string]struct {
		commits []Commit // the newest first
		want    map[string]float64
	}{
		"once":                       {[]Commit{move(Rename{"a.go", "b.go"}), touch}, map[string]float64{"b.go": 0.5}},
		"twice":                      {[]Commit{move(Rename{"b.go", "c.go"}), move(Rename{"a.go", "b.go"}), touch}, map[string]float64{"c.go": 0.25}},
		"before the commit":          {[]Commit{touch, move(Rename{"a.go", "b.go"})}, map[string]float64{"a.go": 1}},
		"swapped":                    {[]Commit{move(Rename{"a.go", "b.go"}, Rename{"b.go", "a.go"}), touch}, map[string]float64{"b.go": 0.5}},
		"another file took the name": {[]Commit{touch, move(Rename{"a.go", "b.go"}), touch}, map[string]float64{"a.go": 1, "b.go": 0.5}},
		"another file had the name":  {[]Commit{move(Rename{"a.go", "c.go"}), move(Rename{"b.go", "a.go"}), touch}, map[string]float64{"a.go": 1}},
		"out of the folder":          {[]Commit{move(Rename{"a.go", "../a.go"}), touch}, map[string]float64{}},
		"into the folder": {
			[]Commit{move(Rename{"../a.go", "b.go"}), {Subject: "Parse durations", Files: []string{"../a.go", "../c.go"}}}, map[string]float64{"b.go": 0.5},
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := NewLog(tt.commits)
			got := map[string]float64{}
			for _, e := range l.commits {
				for _, f := range e.files {
					got[f.path] = f.weight
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("files differ (-want +got):\n%s", diff)
			}
			votes := slices.Sorted(maps.Keys(l.Votes(query("parse durations"))))
			if diff := cmp.Diff(slices.Sorted(maps.Keys(tt.want)), votes); diff != "" {
				t.Errorf("files with votes differ (-want +got):\n%s", diff)
			}
		})
	}
}

// TestRecencyOfRenamedFiles moves a file in a commit that moves too many files to count.
func TestRecencyOfRenamedFiles(t *testing.T) {
	l := NewLog([]Commit{{Renames: []Rename{{"a.go", "b.go"}}}, {Files: []string{"a.go"}}})
	if got, want := l.Recency("b.go"), l.Recency("none.go"); got <= want {
		t.Errorf("a renamed file is as recent as %v", got)
	}
}

// TestTooManyRenames parses a commit that renames as many files as count, and one more.
func TestTooManyRenames(t *testing.T) {
	for renames, want := range map[int]int{maxRenames: maxRenames, maxRenames + 1: 0} {
		parts := []string{header + "id", "Move it"}
		for i := range renames {
			parts = append(parts, "R100", fmt.Sprintf("a/%d.go", i), fmt.Sprintf("b/%d.go", i))
		}
		got := newParser(strings.NewReader(strings.Join(parts, "\x00")+"\x00"), "").commits()
		if len(got) != 1 || len(got[0].Renames) != want || len(got[0].Files) != 0 {
			t.Errorf("of %d renames %d count", renames, len(got[0].Renames))
		}
	}
}
