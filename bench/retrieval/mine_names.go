package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/index"
	"ploke-lsp/index/traits"
	"ploke-lsp/internal/workspace"
)

// minedName is how many letters a name of a mined case has at least. Shorter names have neighbors that are as good.
const minedName = 8

// spelling is how a person may write the name of a symbol.
type spelling struct {
	category string
	of       func(name string, r *rand.Rand) string // "" where it does not differ from another one
}

// spellings are how people write names, as the first one has them or not quite.
var spellings = []spelling{
	{"as written", func(name string, _ *rand.Rand) string { return name }},
	{"where is it", func(name string, _ *rand.Rand) string { return "where is " + name + " defined?" }},
	{"polite", func(name string, _ *rand.Rand) string {
		return "Could you please tell me what " + name + " does and where I can find it? Thanks!"
	}},
	{"lower case", func(name string, _ *rand.Rand) string { return unlike(name, strings.ToLower(name)) }},
	{"snake_case", func(name string, _ *rand.Rand) string { return unlike(name, strings.Join(words(name), "_")) }},
	{"camelCase", func(name string, _ *rand.Rand) string { return unlike(name, camelCase(words(name))) }},
	{"separate words", func(name string, _ *rand.Rand) string { return unlike(name, strings.Join(words(name), " ")) }},
	{"first two thirds", func(name string, _ *rand.Rand) string { return name[:len(name)*2/3] }},
	{"one typo", func(name string, r *rand.Rand) string { return mistyped(name, r) }},
	{"one typo, in a question", func(name string, r *rand.Rand) string {
		return "where is " + mistyped(name, r) + " defined?"
	}},
}

// words returns the words of a name, none for a name of one word.
func words(name string) []string {
	if all := index.NameWords(name); len(all) > 1 {
		return all
	}
	return nil
}

func camelCase(words []string) string {
	name := ""
	for i, w := range words {
		if i > 0 {
			first, size := utf8.DecodeRuneInString(w)
			w = string(unicode.ToUpper(first)) + w[size:]
		}
		name += w
	}
	return name
}

func unlike(name, spelled string) string {
	if spelled == name {
		return ""
	}
	return spelled
}

// mistyped returns an ASCII name with one mistake behind its first letter: a letter that is missing, doubled, another
// one, or has changed places with the next one.
func mistyped(name string, r *rand.Rand) string {
	for {
		b, at := []byte(name), 1+r.IntN(len(name)-2)
		switch r.IntN(4) {
		case 0:
			b = slices.Delete(b, at, at+1)
		case 1:
			b = slices.Insert(b, at, b[at])
		case 2:
			b[at] = byte('a' + r.IntN(26))
		case 3:
			b[at], b[at+1] = b[at+1], b[at]
		}
		if !strings.EqualFold(string(b), name) {
			return string(b)
		}
	}
}

// mineNames writes questions for the symbols of count names of a repository's newest commit, as readQuestions reads
// them: each name as written, and as people spell it. The names are unique in the source files, and the same in each
// run.
func mineNames(ctx context.Context, e *evaluation, out io.Writer) error {
	trees, err := openCheckouts(e.repos, e.work)
	if err != nil {
		return err
	}
	defer trees.close()
	repo, err := repository(e.repos, e.minedNames)
	if err != nil {
		return err
	}
	head, err := git(ctx, "", "-C", repo, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	head = strings.TrimSpace(head)
	tree, err := trees.checkOut(ctx, e.minedNames, head)
	if err != nil {
		return err
	}
	symbols, err := uniqueSymbols(ctx, tree)
	if err != nil {
		return err
	}
	seed := fnv.New64a()
	seed.Write([]byte(e.minedNames))
	r := rand.New(rand.NewPCG(seed.Sum64(), 0))
	r.Shuffle(len(symbols), func(i, j int) { symbols[i], symbols[j] = symbols[j], symbols[i] })
	type asked struct {
		Query    string `json:"query"`
		Category string `json:"category"`
		Relevant []any  `json:"relevant"`
	}
	var all []asked
	for _, s := range symbols[:min(e.count, len(symbols))] {
		place := map[string]any{"path": filepath.ToSlash(s.Rel), "start_line": s.StartLine, "end_line": s.EndLine}
		for _, p := range spellings {
			if text := p.of(s.Name, r); text != "" {
				all = append(all, asked{text, p.category, []any{place}})
			}
		}
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", " ")
	project := map[string]any{"repo": e.minedNames, "revision": head, "questions": all}
	return encoder.Encode(map[string]any{e.minedNames: project})
}

// uniqueSymbols returns the symbols of a tree's source files whose names are ASCII, long and unique, in the order of
// files.
func uniqueSymbols(ctx context.Context, tree string) (unique []index.Unit, err error) {
	ws, err := workspace.New([]string{tree}, workspace.Options{})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "retrieval-names-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	x, err := index.Open(ctx, ws, index.Options{Dir: func(string) string { return dir }})
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if _, err := x.Update(ctx, nil); err != nil {
		return nil, err
	}
	listed, err := git(ctx, "", "-C", tree, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	seen := map[string]int{}
	for file := range strings.SplitSeq(strings.TrimSuffix(listed, "\x00"), "\x00") {
		symbols, err := x.Outline(ctx, filepath.Join(tree, filepath.FromSlash(file)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, s := range symbols {
			name := strings.ToLower(strings.Trim(s.Name, "_"))
			seen[name]++
			if traits.PrecedenceOf(file, nil) == traits.Source && len(s.Name) >= minedName && plainName(s.Name) {
				unique = append(unique, s)
			}
		}
	}
	ambiguous := func(s index.Unit) bool { return seen[strings.ToLower(strings.Trim(s.Name, "_"))] > 1 }
	return slices.DeleteFunc(unique, ambiguous), nil
}

// plainName reports whether a name is of ASCII letters, digits and underscores.
func plainName(name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool {
		return r > unicode.MaxASCII || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}
