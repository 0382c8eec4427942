package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"slices"
	"text/tabwriter"
)

// silenceSet is the name of the set of texts that nothing in the tree is about. What counts is whether the search
// doubts its results.
const silenceSet = "silence"

// readSilence reads texts that nothing in the tree is about, as JSON lines {id, repo, base_commit, kind, query}.
func readSilence(name string) (all []testCase, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	for d, n := json.NewDecoder(bufio.NewReader(f)), 1; d.More(); n++ {
		var c struct {
			testCase
			Kind string `json:"kind"`
		}
		if err := d.Decode(&c); err != nil {
			return nil, fmt.Errorf("%s: case %d: %w", name, n, err)
		}
		if c.ID == "" || c.Repo == "" || c.Commit == "" || c.Query == "" || c.Kind == "" {
			return nil, fmt.Errorf("%s: case %d needs an id, a repo, a base_commit, a kind and a query", name, n)
		}
		c.Category = c.Kind
		all = append(all, c.testCase)
	}
	return all, nil
}

// crossedCategory is the category of the texts that are about another project.
const crossedCategory = "of another project"

// crossed returns cases for the set silence: of each tree it asks as much about other projects as the cases ask about
// its own, in the same words. Some have an answer nevertheless. The cases are the same in each run.
func crossed(all []*outcome, silence *set) (more []*outcome) {
	byRepo := map[string][]*outcome{}
	for _, o := range all {
		if o.set != silence && o.set.asksInProse() {
			byRepo[o.Repo] = append(byRepo[o.Repo], o)
		}
	}
	repos := slices.Sorted(maps.Keys(byRepo))
	for i, repo := range repos {
		for n, here := range byRepo[repo] {
			if len(repos) == 1 {
				return nil
			}
			elsewhere := byRepo[repos[(i+1+n%(len(repos)-1))%len(repos)]]
			other := elsewhere[n%len(elsewhere)]
			c := testCase{ID: here.ID + " " + other.ID, Repo: repo, Commit: here.Commit,
				Query: other.set.views[0].text(&other.testCase)}
			c.Root, c.Category = here.Root, crossedCategory
			more = append(more, &outcome{set: silence, testCase: c})
		}
	}
	return more
}

// asksInProse reports whether the texts of a set are what people write about a project, and not names of its symbols.
func (s *set) asksInProse() bool {
	return slices.Contains([]string{"changes", "questions", "issues"}, s.name)
}

// isHeldBack reports whether the cases of a repository are kept from the choice of weights.
func isHeldBack(repo string) bool {
	h := fnv.New32a()
	h.Write([]byte(repo))
	return h.Sum32()%heldBack == 0
}

// feature is a number that may tell answerable texts from others. It is larger for those.
type feature struct {
	name string
	of   func(*ranking) float64
}

var features = []feature{
	{"confidence", func(r *ranking) float64 { return r.evidence.Confidence() }},
	{"fit", func(r *ranking) float64 { return r.evidence.Fit }},
	{"naming", func(r *ranking) float64 { return r.evidence.Naming }},
	{"together", func(r *ranking) float64 { return r.evidence.Together }},
	{"known words", func(r *ranking) float64 { return r.evidence.Known }},
	{"margin to the second", func(r *ranking) float64 { return r.margin(2) }},
	{"margin to the tenth", func(r *ranking) float64 { return r.margin(10) }},
	{"history", signalOf("history")},
	{"text and file agree", func(r *ranking) float64 { return signalOf("text")(r) * signalOf("file")(r) }},
	{"exact", signalOf("exact")},
}

// signalOf returns a signal of the first result.
func signalOf(name string) func(*ranking) float64 {
	return func(r *ranking) float64 {
		if len(r.hits) == 0 {
			return 0
		}
		return r.hits[0].Signals[name]
	}
}

// margin returns by which share of the best score the n-th result, or the last one, is behind the first.
func (r *ranking) margin(n int) float64 {
	if len(r.hits) == 0 || r.hits[0].Score <= 0 {
		return 1
	}
	return 1 - r.hits[min(n, len(r.hits))-1].Score/r.hits[0].Score
}

// askedKind are the results of texts of one kind.
type askedKind struct {
	kind     string
	first    bool // it is the first view of a set
	rankings []*ranking
}

// doubtedShares are the shares of the answerable texts that the thresholds of a curve doubt.
var doubtedShares = []float64{.01, .02, .05, .1, .2}

// printDoubt compares answerable texts with those that have nothing to find: what tells them apart, how many of them
// are doubted now, and how many would be by the threshold that doubts a share of the answerable ones.
func printDoubt(out io.Writer, sets []*set, all []*outcome) {
	for _, part := range []struct {
		name     string
		heldBack bool
	}{{"tuned", false}, {"held back", true}} {
		answerable, others := splitByAnswer(sets, all, part.heldBack)
		if len(answerable) == 0 || len(others) == 0 {
			continue
		}
		var pooled []*ranking // each text once
		for _, k := range answerable {
			if k.first {
				pooled = append(pooled, k.rankings...)
			}
		}
		fmt.Fprintf(out, "\nsilence, %s projects: percent of the texts whose results are doubted, now and where a share of "+
			"all answerable ones is\n", part.name)
		table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprint(table, "\ttexts\tnow")
		for _, share := range doubtedShares {
			fmt.Fprintf(table, "\t%.0f %%", 100*share)
		}
		for _, k := range slices.Concat(answerable, others) {
			fmt.Fprintf(table, "\n%s\t%d\t%.1f", k.kind, len(k.rankings), 100*share(k.rankings, (*ranking).doubted))
			for _, at := range doubtedShares {
				least := threshold(pooled, at)
				fmt.Fprintf(table, "\t%.1f", 100*share(k.rankings, func(r *ranking) bool {
					return r.evidence.Confidence() < least
				}))
			}
		}
		fmt.Fprintln(table)
		table.Flush()
		fmt.Fprintf(out, "\nsilence, %s projects: area under the curve of each feature, of 100\n", part.name)
		table = tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		for _, k := range others {
			fmt.Fprintf(table, "\t%s", k.kind)
		}
		for _, f := range features {
			fmt.Fprintf(table, "\n%s", f.name)
			for _, k := range others {
				fmt.Fprintf(table, "\t%.1f", 100*areaUnderCurve(pooled, k.rankings, f.of))
			}
		}
		fmt.Fprintln(table)
		table.Flush()
	}
}

func (r *ranking) doubted() bool { return r.doubt != "" }

// splitByAnswer returns what was found for the answerable texts of prose, by set and view, and for the others, by kind.
func splitByAnswer(sets []*set, all []*outcome, heldBack bool) (answerable, others []askedKind) {
	kinds := map[string][]*ranking{}
	for _, o := range all {
		if isHeldBack(o.Repo) != heldBack {
			continue
		}
		if o.set.name == silenceSet {
			kinds[o.Category] = append(kinds[o.Category], o.views[0].ranking)
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		others = append(others, askedKind{kind: kind, rankings: kinds[kind]})
	}
	for _, s := range sets {
		for v, view := range s.views {
			k := askedKind{kind: s.name + ", " + view.name, first: v == 0}
			for _, o := range all {
				if o.set == s && isHeldBack(o.Repo) == heldBack {
					k.rankings = append(k.rankings, o.views[v].ranking)
				}
			}
			if s.asksInProse() && len(k.rankings) > 0 {
				answerable = append(answerable, k)
			}
		}
	}
	return answerable, others
}

// threshold returns the confidence below which a share of the rankings is.
func threshold(rankings []*ranking, share float64) float64 {
	sorted := slices.SortedFunc(slices.Values(rankings), func(a, b *ranking) int {
		return cmp.Compare(a.evidence.Confidence(), b.evidence.Confidence())
	})
	return sorted[int(share*float64(len(sorted)))].evidence.Confidence()
}

// areaUnderCurve returns how probably a number is larger for one of the first rankings than for one of the others. Of
// equal ones, half count.
func areaUnderCurve(larger, smaller []*ranking, of func(*ranking) float64) float64 {
	sum := 0.0
	for _, a := range larger {
		for _, b := range smaller {
			switch cmp.Compare(of(a), of(b)) {
			case 1:
				sum++
			case 0:
				sum += .5
			}
		}
	}
	return sum / float64(len(larger)*len(smaller))
}
