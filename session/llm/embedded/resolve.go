package embedded

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/conventions"
)

// resolved is how looking up a target ended.
type resolved struct {
	items   []symbol // the likeliest first; empty if there are none
	omitted int      // of further ones
	as      string   // the name that was found
	failure toolResult
}

// resolve looks a target up, by shorter and shorter names, and at last by a name that
// differs in case only. Until it is done, it returns the calls to make next.
func (t target) resolve(p progress) (resolved, []llm.Call) {
	if t.name == "" {
		return t.resolveLine(p)
	}
	names, lookups := t.names(), p.of("code_item_lookup")
	for i, r := range lookups {
		found := decode[lookupResult](&r)
		switch as := t.nameOf(i, lookups); {
		case r.OK && i == 1 && t.orType && strings.Contains(t.name, "::") && !slices.Contains(slices.Concat(classes,
			abstract), found.Items[0].Kind):
		case r.OK && len(definitions(found.all())) > 0:
			return t.byUse(p, resolved{items: t.ranked(p.folders, definitions(found.all()), as), omitted: found.Omitted, as: as})
		case !r.OK && r.Code != "not_found", i >= len(names):
			return resolved{failure: r}, nil
		}
	}
	if next := t.nameOf(len(lookups), lookups); next != "" {
		look := args{"name": next}
		if t.file != "" {
			look["file"] = t.file
		}
		return resolved{}, []llm.Call{callTool("code_item_lookup", look)}
	}
	failure := lookups[0]
	if failure.OK {
		failure.Error, failure.Code = "only settings name it", "not_found"
	}
	return resolved{failure: failure}, nil
}

// byUse puts that first of the likeliest namesakes which is used most. Until the uses are counted, it returns the call
// that counts them.
func (t target) byUse(p progress, found resolved) (resolved, []llm.Call) {
	tied := 1
	for tied < len(found.items) && (p.rank(found.items[tied]) == p.rank(found.items[0]) ||
		t.mostUsed && !found.items[tied].isAside()) {
		tied++
	}
	if len(distinct(found.items[:tied])) < 2 {
		return found, nil
	}
	counted := p.facts("uses")
	if len(counted) == 0 {
		return resolved{}, []llm.Call{callTool("project_facts", args{"about": "uses", "words": []string{found.as},
			"limit": 1})}
	}
	uses := map[string]int{}
	for _, u := range decode[projectFacts](&counted[0]).Uses {
		uses[u.ID] = u.Uses
	}
	slices.SortStableFunc(found.items[:tied], func(a, b symbol) int { return cmp.Compare(uses[b.ID], uses[a.ID]) })
	return found, nil
}

// nameOf returns the name of the lookup number i, "" if there is none.
func (t target) nameOf(i int, lookups []toolResult) string {
	names := t.names()
	if i < len(names) {
		return names[i]
	}
	for _, name := range names {
		for _, r := range lookups[:len(names)] {
			for _, c := range r.Candidates {
				if tail := c.Canon[max(0, len(c.Canon)-len(name)):]; strings.EqualFold(tail, name) &&
					strings.HasSuffix("::"+c.Canon, "::"+tail) {
					return tail
				}
			}
		}
	}
	return ""
}

// ranked sorts namesakes. If some are in the package or the file that the name begins
// with, only these are returned.
func (t target) ranked(f folders, items []symbol, as string) []symbol {
	for _, owner := range strings.Split(strings.TrimSuffix(strings.TrimSuffix(t.name, as), "::"), "::") {
		within := slices.DeleteFunc(slices.Clone(items), func(s symbol) bool { return owner == "" || !s.within(owner) })
		if len(within) > 0 {
			items = within
		}
	}
	return slices.SortedStableFunc(slices.Values(items), func(a, b symbol) int {
		return cmp.Or(cmp.Compare(f.rank(a), f.rank(b)), cmp.Compare(strings.Count(a.File, "/"), strings.Count(b.File, "/")))
	})
}

// within reports whether the symbol's package or file has that name.
func (s symbol) within(name string) bool {
	file := filepath.Base(s.File)
	return filepath.Base(filepath.Dir(s.File)) == name || strings.TrimSuffix(file, filepath.Ext(file)) == name
}

// rank is lower for symbols that a plain name rather means.
func (f folders) rank(s symbol) int {
	rank := 0
	if isSide(f, s.path()) {
		rank = 1
	}
	switch s.Kind {
	case "field", "property", "variable", "section", "module", "namespace", "file":
		rank++
	case "impl":
		rank += 2
	}
	switch {
	case strings.Contains(s.Canon, "::"):
		rank += 3
	case s.isPrivate():
		rank++
	}
	if isTest(s.path()) || conventions.Aside.MatchString(s.path()) {
		rank += 6
	}
	return rank
}

// isPrivate reports whether a declaration says that other files can't use it.
func (s symbol) isPrivate() bool {
	switch filepath.Ext(s.path()) {
	case ".rs":
		return s.Signature != "" && !visible.MatchString(s.Signature)
	case ".ts", ".tsx", ".js", ".jsx", ".mjs", ".vue":
		return s.Signature != "" && !strings.HasPrefix(s.Signature, "export")
	case ".py":
		return strings.HasPrefix(s.Name, "_")
	case ".c", ".h", ".cc", ".cpp":
		return strings.HasPrefix(s.Signature, "static ")
	}
	return strings.Contains(s.Signature, "private ")
}

// visible matches the signature of what is public in Rust.
var visible = lazyregexp.New(`\bpub [a-z]|^(?:macro_rules!|impl)`)

// path returns the symbol's file: cards have no other word for it than their id.
func (s symbol) path() string {
	return s.ID[:max(0, strings.LastIndexByte(s.ID, '#'))]
}

// inFile reports whether the symbol's path ends in a path.
func (s symbol) inFile(path string) bool {
	path = strings.TrimPrefix(filepath.ToSlash(path), "./")
	return strings.HasSuffix("/"+filepath.ToSlash(s.path()), "/"+strings.TrimPrefix(path, "/"))
}

// encloses reports whether the symbol has the line.
func (s symbol) encloses(line int) bool {
	_, end, _ := strings.Cut(s.ID[strings.LastIndexByte(s.ID, '#')+1:], ":")
	last, _ := strconv.Atoi(end)
	return s.firstLine() <= line && line <= last
}

func (s symbol) firstLine() int {
	start, _, _ := strings.Cut(s.ID[strings.LastIndexByte(s.ID, '#')+1:], ":")
	first, _ := strconv.Atoi(start)
	return first
}

var testPath = lazyregexp.New(`(?i)(?:^|/)(?:tests?|__tests__|specs?|testdata)/|_test\.\w+$|(?:^|/)test_[^/]*$` +
	`|(?:^|/)[\w.]*(?:\.Tests?|[a-z]Tests)(?:\.\w+)*/|[._-](?:test|spec)s?\.\w+$|(?:Tests?|Spec)\.\w+$`)

// isTest reports whether a path is of a test, by the conventions of all languages.
func isTest(path string) bool { return testPath.MatchString(filepath.ToSlash(path)) }

// resolveLine finds the symbol around a line: the search knows it.
func (t target) resolveLine(p progress) (resolved, []llm.Call) {
	searches := p.of("request_code_context")
	if len(searches) == 0 {
		return resolved{}, []llm.Call{callTool("request_code_context", args{"hint": t.String(),
			"token_budget": contextTokens})}
	}
	found := decode[searchResult](&searches[0])
	var innermost symbol
	for _, s := range found.Results {
		if s.encloses(t.line) && s.inFile(t.file) && (innermost.ID == "" || s.firstLine() > innermost.firstLine()) {
			s.File = s.path()
			innermost = s
		}
	}
	if innermost.ID != "" {
		return resolved{items: []symbol{innermost}, as: innermost.Canon}, nil
	}
	if searches[0].OK {
		searches[0].Error = "no symbol has that line"
	}
	return resolved{failure: searches[0]}, nil
}

// missing says that a target was not found, and what comes close.
func (p progress) missing(t target, r toolResult) string {
	text := "I could not look up " + code(t.String()) + ": " + r.Error + ".\n"
	if names := t.names(); len(names) > 1 {
		text += "I also tried `" + strings.Join(names[1:], "`, `") + "`.\n"
	}
	return text + p.near(r.Candidates)
}
