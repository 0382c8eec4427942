package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/index"
)

// set is a kind of cases, which are measured in the same way.
type set struct {
	name     string // of its folder, too
	pattern  string // of its files
	read     func(file string) ([]testCase, error)
	views    []view
	measures []measure
	headline []string // names of the measures whose mean the loss without a channel is of
}

// view is a way to search for the text of a case.
type view struct {
	name    string
	text    func(*testCase) string
	without []index.Channel
	budget  int // of what request_code_context shows, in tokens; 0: what a search finds
}

// sets are all sets. Questions are asked without history first, because the published figures of
// others are for trees without it.
var sets = []*set{{
	name: "changes", pattern: "*.jsonl", read: readChanges,
	views:    []view{{name: "subject", text: subject}, {name: "full message", text: query}},
	measures: changeMeasures, headline: []string{"MRR", "recall@5", "recall@10", "hunk@10"},
}, {
	name: "questions", pattern: "*.json", read: readQuestions,
	views: []view{
		{name: "without history", text: query, without: []index.Channel{index.HistoryChannel, index.RecencyChannel}},
		{name: "with history", text: query},
		{name: "with a typo", text: withTypo, without: []index.Channel{index.HistoryChannel, index.RecencyChannel}},
	},
	measures: questionMeasures, headline: []string{"NDCG@10 unit", "NDCG@10 file"},
}, {
	name: "names", pattern: "*.json", read: readQuestions,
	views:    []view{{name: "by the spelling", text: query}},
	measures: nameMeasures, headline: []string{"MRR unit", "first unit", "MRR file"},
}, {
	name: "traces", pattern: "*.json", read: readQuestions,
	views:    []view{{name: "by the kind of report", text: query}},
	measures: traceMeasures, headline: []string{"Acc@1", "Acc@10", "first unit"},
}, {
	name: "settings", pattern: "*.json", read: readQuestions,
	views:    []view{{name: "by the kind of file", text: query}},
	measures: settingMeasures, headline: []string{"Acc@1", "MRR file"},
}, {
	name: "issues", pattern: "*.jsonl", read: readChanges,
	views:    []view{{name: "title and body", text: query}},
	measures: issueMeasures, headline: []string{"Acc@1", "Acc@3", "Acc@5", "Acc@10"},
}, {
	name: "contexts", pattern: "*.jsonl", read: readContexts,
	views:    contextViews(),
	measures: contextMeasures, headline: []string{"files, F1", "lines, F1"},
}, {
	name: silenceSet, pattern: "*.jsonl", read: readSilence,
	views:    []view{{name: "as asked", text: query}},
	measures: doubtMeasures, headline: []string{"doubted"},
}}

// withVectors returns sets whose views come twice: without the vectors of a model, and with them.
func withVectors(all []*set) (more []*set) {
	for _, s := range all {
		both := *s
		both.views = nil
		for _, v := range s.views {
			without := append(slices.Clip(v.without), index.DenseChannel)
			both.views = append(both.views, view{v.name, v.text, without, v.budget},
				view{v.name + ", with vectors", v.text, v.without, v.budget})
		}
		more = append(more, &both)
	}
	return more
}

func subject(c *testCase) string { return c.Subject }
func query(c *testCase) string   { return c.Query }

// withTypo returns a question with a mistake in its longest word.
func withTypo(c *testCase) string {
	longest := ""
	for word := range strings.FieldsFuncSeq(c.Query, func(r rune) bool { return !plainName(string(r)) }) {
		if len(word) > len(longest) {
			longest = word
		}
	}
	if len(longest) < mistypedLetters {
		return c.Query
	}
	seed := fnv.New64a()
	seed.Write([]byte(c.Query))
	return strings.Replace(c.Query, longest, mistyped(longest, rand.New(rand.NewPCG(seed.Sum64(), 0))), 1)
}

// mistypedLetters is how many letters a word has at least for a mistake behind its first one and before its last one.
const mistypedLetters = 4

// setNames lists the names of the sets.
func setNames() (names []string) {
	for _, s := range sets {
		names = append(names, s.name)
	}
	return names
}

// readCases reads the cases of sets in a folder that has a folder for each set. If repos is not empty, it names the
// repositories whose cases count.
func readCases(dir string, wanted []*set, repos []string) (all []*outcome, err error) {
	if err := checkFolders(dir); err != nil {
		return nil, err
	}
	for _, s := range wanted {
		files, err := filepath.Glob(filepath.Join(dir, s.name, s.pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			cases, err := s.read(file)
			if err != nil {
				return nil, err
			}
			for _, c := range cases {
				if len(repos) == 0 || slices.Contains(repos, c.Repo) {
					all = append(all, &outcome{set: s, testCase: c})
				}
			}
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no cases to measure; it should have folders like changes/*.jsonl, questions/*.json, "+
			"names/*.json, traces/*.json, settings/*.json, issues/*.jsonl, contexts/*.jsonl or silence/*.jsonl", dir)
	}
	return all, nil
}

// checkFolders fails if a folder has another folder than those of the sets.
func checkFolders(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := filepath.Join(dir, entry.Name())
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if info.IsDir() && !slices.Contains(setNames(), entry.Name()) {
			return fmt.Errorf("%s is the folder of no set; the sets are %s", name, strings.Join(setNames(), ", "))
		}
	}
	return nil
}
