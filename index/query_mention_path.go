package index

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// pathMention is a file, folder or module that a query names, perhaps with a line of it.
type pathMention struct {
	path    string // in lower case and slashes, as it is written
	file    bool   // its last name has an ending
	foreign int    // so many of its last names are what the folder of an installed library holds; 0: all
	line    int    // 1-based; 0: none is named
}

var (
	// pathPattern matches what may be a path: names with slashes, or a name with an ending.
	// A drive or a scheme before it is left out.
	pathPattern = regexp.MustCompile(`[\pL\pN_.@~+\-$%/\\]*[/\\.][\pL\pN_.@~+\-$%/\\]*[\pL\pN_/\\]`)
	// linePattern matches how a line is told after a path: by compilers and most stacks (":12",
	// "(12,5)"), Python and OCaml (`", line 12`), C# (":line 12"), PHP (" on line 12"), shells
	// (": line 12"), and links to GitHub ("#L12"); a bundler puts a query before it.
	linePattern = regexp.MustCompile(`^(?:\?[\w=&.%\-]*)?(?:["'’)]*,? (?:on )?lines? |: ?line |[:(]|#L)(\d{1,7})\b`)
	// framePattern matches a frame of the JVM: the packages, the class and the method before
	// the file's name.
	framePattern = regexp.MustCompile(`([\pL_][\pL\pN_]*\.(?:[\pL\pN_$]+\.)*)[\pL\pN_$]+\.[\pL\pN_$<>]+\(([\pL\pN_]+\.\pL+:\d)`)
	// installed matches the folder of libraries that a path leads into.
	installed = regexp.MustCompile(`^.*(?:^|/)(?:node_modules|site-packages|dist-packages|\.cargo/registry/src/[^/]*|rustc/[^/]*|usr/lib|usr/include)/`)
)

// lastFirst is what Python writes above a stack, whose innermost frame comes last.
const lastFirst = "most recent call last"

// maxPaths bounds the paths that are looked for.
const maxPaths = 32

// pathMentions are those that a text names: those with a line first, the innermost frame of a
// stack before the others.
func pathMentions(text string) []pathMention {
	if strings.Contains(text, "(") {
		text = framePattern.ReplaceAllStringFunc(text, func(frame string) string {
			m := framePattern.FindStringSubmatch(frame)
			return strings.ReplaceAll(m[1], ".", "/") + m[2]
		})
	}
	var lines, others []pathMention
	known := map[pathMention]bool{}
	for _, at := range pathPattern.FindAllStringIndex(text, -1) {
		p := newPathMention(text[at[0]:at[1]])
		m := linePattern.FindStringSubmatch(text[at[1]:])
		if m != nil {
			p.line, _ = strconv.Atoi(m[1])
		}
		switch {
		case known[p] || p.path == "":
		case m != nil:
			lines = append(lines, p)
		default:
			others = append(others, p)
		}
		known[p] = true
	}
	if strings.Contains(strings.ToLower(text), lastFirst) {
		slices.Reverse(lines)
	}
	all := append(lines, others...)
	return all[:min(len(all), maxPaths)]
}

func newPathMention(written string) pathMention {
	p := pathMention{path: strings.ToLower(strings.ReplaceAll(written, `\`, "/"))}
	p.path = strings.Trim(path.Clean(strings.TrimLeft(p.path, "@~$/")), "/")
	for strings.HasPrefix(p.path, "../") {
		p.path = p.path[len("../"):]
	}
	base := path.Base(p.path)
	p.file = len(path.Ext(base)) > 1
	if library := installed.FindString("/" + p.path); library != "" {
		p.foreign = 1 + strings.Count("/"+p.path, "/") - strings.Count(library, "/")
	}
	if !strings.Contains(p.path, "/") && !p.file {
		return pathMention{}
	}
	return p
}

// alternatives are what may be meant, most likely first: what looks like a file's name
// may be a module, or something in one, with dots between its names.
func (p pathMention) alternatives() []pathMention {
	all := []pathMention{p}
	if !p.file || strings.Contains(p.path, "/") {
		return all
	}
	names := strings.Split(p.path, ".")
	for n := len(names); n > 1 && n >= len(names)-1; n-- {
		all = append(all, pathMention{path: strings.Join(names[:n], "/"), line: p.line})
	}
	return all
}

// fits says whether a file is what is named. Its path is in lower case, with its root
// folder's name before it: a path that was written elsewhere has its end in common.
func (p pathMention) matchesFile(rel string) bool {
	if !p.file {
		rel = moduleOf(rel)
	}
	n, all := commonTail(p.path, rel), nameCount(p.path)
	if n < all && p.foreign > 0 {
		return n >= p.foreign
	}
	return n == all || n >= 3 || n == 2 && nameCount(rel) <= 3
}

// around says whether a file is in the folder that is named.
func (p pathMention) matchesFolderOf(rel string) bool {
	all := nameCount(p.path)
	for dir := path.Dir(rel); nameCount(dir) >= all && dir != "."; dir = path.Dir(dir) {
		if commonTail(p.path, dir) == all {
			return true
		}
	}
	return false
}

// moduleOf is what imports call a file: its path without the ending, or its folder where
// the file stands for that.
func moduleOf(rel string) string {
	rel = strings.TrimSuffix(rel, path.Ext(rel))
	switch path.Base(rel) {
	case "index", "__init__", "mod", "init":
		return path.Dir(rel)
	}
	return rel
}

func nameCount(p string) int { return strings.Count(p, "/") + 1 }

// commonTail is the number of names that two paths end in alike.
func commonTail(a, b string) (n int) {
	for i, j := len(a)-1, len(b)-1; ; i, j = i-1, j-1 {
		switch {
		case (i < 0 || a[i] == '/') && (j < 0 || b[j] == '/'):
			if n++; i < 0 || j < 0 {
				return n
			}
		case i < 0 || j < 0 || a[i] != b[j]:
			return n
		}
	}
}
