package query

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index/postings"
	"ploke-lsp/index/shards"
)

// TestFitCost compares how well names fit what is typed.
func TestFitCost(t *testing.T) {
	for _, c := range []struct{ wanted, better, worse string }{
		{"serve", "Serve", "Server"},
		{"serve", "Server", "ListenAndServe"},
		{"serve", "ListenAndServe", "observer"},
		{"las", "ListenAndServe", "Atlas"},
		{"lats", "ListenAndTLSServe", "flatness"},
		{"sh", "serve_http", "finish_later"},
		{"http2", "isHTTP2", "ihttpa2"},
		{"nr", "NewReader", "unruly"},
		{"nr", "UnNewReader", "nxrabcdefgh"},
	} {
		better, ok := fitCost(c.better, c.wanted)
		worse, alsoOK := fitCost(c.worse, c.wanted)
		if !ok || alsoOK && worse <= better {
			t.Errorf("%q fits %s with %v, and %s with %v", c.wanted, c.better, better, c.worse, worse)
		}
	}
	for _, name := range []string{"", "ser", "evres", "Sever"} {
		if _, ok := fitCost(name, "serve"); ok {
			t.Errorf("%q fits serve", name)
		}
	}
}

// TestFitCostAllocatesNothing compares names that are bytes, as all names are that are considered.
func TestFitCostAllocatesNothing(t *testing.T) {
	for _, name := range []string{"listenandserve", "serve_2_http", "observer"} {
		stored := []byte(name)
		if n := testing.AllocsPerRun(100, func() { fitCost(string(stored), "srv") }); n > 0 {
			t.Errorf("comparing %s allocates %v times", name, n)
		}
	}
}

// TestFittingNames compares the names that fit with those of a comparison of all names, in
// segments that share some of them.
func TestFittingNames(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 8))
	word := func(n int) string {
		text := make([]byte, 1+random.IntN(n))
		for i := range text {
			text[i] = "abc_1"[random.IntN(5)]
		}
		return string(text)
	}
	views, all := viewsOfNames(t, func() string { return word(9) })
	for range 300 {
		wanted, limit := word(6), 1+random.IntN(40)
		var want []rankedName
		for name := range all {
			cost, ok := fitCost(name, wanted)
			if ok && (len(wanted) > maxPrefixOnly || name[:min(len(name), len(wanted))] == wanted) {
				want = append(want, rankedName{name, cost})
			}
		}
		slices.SortFunc(want, compareNames)
		var names []string
		for _, n := range want[:min(len(want), limit)] {
			names = append(names, n.name)
		}
		if got := fittingNames(views, wanted, limit); !slices.Equal(got, names) {
			t.Errorf("%d names that fit %q are %q, want %q", limit, wanted, got, names)
		}
	}
}

// viewsOfNames returns views of segments that share some names, and the set of all names.
func viewsOfNames(t *testing.T, name func() string) (views []*shards.View, all map[string]bool) {
	all = map[string]bool{}
	for id := range 3 {
		var posts postings.Builder
		unit := posts.Unit(0)
		for range 1000 {
			name := name()
			all[strings.ToLower(name)] = true
			posts.Exact(unit, postings.Name, name)
		}
		posts.Finish(int64(id), "a.go", 0)
		var out bytes.Buffer
		if err := posts.Write(&out); err != nil {
			t.Fatal(err)
		}
		segment, err := postings.OpenBytes(out.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		views = append(views, &shards.View{Segment: segment})
	}
	return views, all
}
