package compiler

import (
	"context"
	"errors"
	"testing"
)

// meaning is a source that knows what is meant at some offsets of a file.
type meaning struct {
	Source
	definitions map[int][]Place // by offset
	outside     map[int]bool
	asked       int
}

func (m *meaning) Definition(_ context.Context, q Question) (*Answer, error) {
	m.asked++
	if q.Offset < 0 {
		return nil, errors.New("it has ended")
	}
	return &Answer{Places: m.definitions[q.Offset], Outside: m.outside[q.Offset]}, nil
}

// TestSettled believes a server that does not say whether it has read the project if it knows what was found by name.
func TestSettled(t *testing.T) {
	at := func(offsets ...int) (places []Place) {
		places = []Place{}
		for _, o := range offsets {
			places = append(places, Place{Path: "/a.go", Start: o, End: o + 4})
		}
		return places
	}
	var many []int
	for i := range maxDoubts + 1 {
		many = append(many, 100+10*i)
	}
	self, other := at(0), at(900)
	for name, tt := range map[string]struct {
		readiness   Readiness
		byName      []Place
		answers     [][]Place // one after the other, then the last one
		definitions map[int][]Place
		outside     map[int]bool
		want        Readiness
		asked       int // definitions
	}{
		"complete":                  {readiness: Complete, byName: at(10), answers: [][]Place{nil}, want: Complete},
		"loading":                   {readiness: Loading, byName: at(), answers: [][]Place{nil}, want: Loading},
		"nothing was looked for":    {readiness: Unknown, answers: [][]Place{at(10)}, want: Unknown},
		"all is known":              {readiness: Unknown, byName: at(10), answers: [][]Place{at(10, 20)}, definitions: map[int][]Place{0: self}, want: Complete, asked: 1},
		"no uses":                   {readiness: Unknown, byName: at(), answers: [][]Place{nil}, definitions: map[int][]Place{0: self}, want: Complete, asked: 1},
		"the symbol is not known":   {readiness: Unknown, byName: at(), answers: [][]Place{nil}, want: Unknown, asked: 1},
		"it is another symbol":      {readiness: Unknown, byName: at(), answers: [][]Place{nil}, definitions: map[int][]Place{0: other}, want: Unknown, asked: 1},
		"another one is meant":      {readiness: Unknown, byName: at(10, 20), answers: [][]Place{at(10)}, definitions: map[int][]Place{0: self, 20: other}, want: Complete, asked: 2},
		"one elsewhere is meant":    {readiness: Unknown, byName: at(20), answers: [][]Place{nil}, definitions: map[int][]Place{0: self}, outside: map[int]bool{20: true}, want: Complete, asked: 2},
		"a place is not known":      {readiness: Unknown, byName: at(10, 20), answers: [][]Place{at(10)}, definitions: map[int][]Place{0: self}, want: Unknown, asked: 2},
		"a use was missed":          {readiness: Unknown, byName: at(20), answers: [][]Place{nil}, definitions: map[int][]Place{0: self, 20: self}, want: Unknown, asked: 4},
		"a use was missed at first": {readiness: Unknown, byName: at(20), answers: [][]Place{nil, at(20)}, definitions: map[int][]Place{0: self, 20: self}, want: Complete, asked: 3},
		"it ends":                   {readiness: Unknown, byName: at(-9), answers: [][]Place{nil}, definitions: map[int][]Place{0: self}, want: Unknown, asked: 2},
		"too many doubts":           {readiness: Unknown, byName: at(many...), answers: [][]Place{nil}, definitions: map[int][]Place{0: self}, want: Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			m, n := &meaning{definitions: tt.definitions, outside: tt.outside}, 0
			q := Question{Path: "/a.go"}
			if tt.byName != nil {
				q.ByName = func(context.Context) []Place { return tt.byName }
			}
			a, err := Settled(t.Context(), m, q, func(context.Context, Question) (*Answer, error) {
				n++
				return &Answer{Readiness: tt.readiness, Places: tt.answers[min(n, len(tt.answers))-1]}, nil
			})
			if err != nil || a.Readiness != tt.want || m.asked != tt.asked || n > 2 {
				t.Errorf("%v, %+v, asked %d times and for %d definitions", err, a, n, m.asked)
			}
		})
	}
}
