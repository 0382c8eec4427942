package query

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ploke-lsp/internal/lazyregexp"
)

// pathMention is a file, folder or module that a query names, possibly with a line.
type pathMention struct {
	path    string // in lower case, with slashes, as written
	file    bool   // its last name has an extension
	foreign int    // the number of its last names that are inside of an installed library; 0: it is not in one
	library string // the name of that library, "" if its names begin with it
	line    int    // 1-based; 0: none
}

var (
	// linePattern matches a line number after a path: of compilers and most stack traces
	// (":12", "(12,5)"), Python and OCaml (`", line 12`), C# (":line 12"), PHP (" on line
	// 12"), shells (": line 12"), and links to GitHub ("#L12"). A bundler adds a query
	// string before it.
	linePattern = lazyregexp.New(`^(?:\?[\w=&.%\-]*)?(?:["'’)]*,? (?:on )?lines? |: ?line |[:(]|#L)(\d{1,7})\b`)
	// framePattern matches a frame of a JVM stack trace: the package, the class and the
	// method, and then the file's name.
	framePattern = lazyregexp.New(`([\pL_][\pL\pN_]*\.(?:[\pL\pN_$]+\.)*)` +
		`[\pL\pN_$]+\.[\pL\pN_$<>]+\(([\pL\pN_]+\.\pL+:\d)`)
	// installed matches the folder of an installed library in a path, or that of all of them if the paths in it begin
	// with the library's name. A group is the name of the library.
	installed = lazyregexp.New(`^.*(?:^|/)(?:node_modules/((?:@[^/]+/)?[^/]+)|site-packages|dist-packages|` +
		`\.cargo/registry/src/[^/]+/([^/]+)-\d[^/]*|go/pkg/mod/(?:[^@]*?/)?([^/@]+)(?:/v\d+)?@[^/]*|gems/([^/]+)-\d[^/]*|` +
		`rustc/[^/]*|usr/local/go/src|usr/lib|usr/include)/`)
	// builtFolder matches the folder that a library has what was built in.
	builtFolder = lazyregexp.New(`^(?:dist|build|lib|esm|cjs|out)/`)
)

// lastFirst is in the header of a Python stack trace, which has the innermost frame last.
const lastFirst = "most recent call last"

// maxPaths bounds the number of paths in a query.
const maxPaths = 32

// pathMentions returns the paths in a text: first the paths with a line, innermost frame
// first, then the others.
func pathMentions(text string) []pathMention {
	if strings.Contains(text, "(") {
		text = framePattern.ReplaceAllStringFunc(text, func(frame string) string {
			m := framePattern.FindStringSubmatch(frame)
			return strings.ReplaceAll(m[1], ".", "/") + m[2]
		})
	}
	var lines, others []pathMention
	known := map[pathMention]bool{}
	for start, end := nextPath(text, 0); end > start; start, end = nextPath(text, end) {
		p := newPathMention(text[start:end])
		m := linePattern.FindStringSubmatch(text[end:])
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

// nextPath returns where the next possible path in a text begins and ends, at or after an offset:
// names with slashes, or a name with an extension, without a drive or a scheme before them. If
// there is none, both are the length of the text.
func nextPath(text string, from int) (start, end int) {
	for from < len(text) {
		run := text[from:]
		if n := strings.IndexFunc(run, notInPath); n >= 0 {
			run = run[:n]
		}
		path := strings.TrimRightFunc(run, notAtPathEnd)
		if at := strings.IndexAny(path, `/\.`); at >= 0 && at < len(path)-1 {
			return from, from + len(path)
		}
		from += len(run)
		_, size := utf8.DecodeRuneInString(text[from:])
		from += size
	}
	return len(text), len(text)
}

func notInPath(r rune) bool { return notAtPathEnd(r) && !strings.ContainsRune(".@~+-$%", r) }

func notAtPathEnd(r rune) bool {
	return !(unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' || r == '/' || r == '\\')
}

func newPathMention(written string) pathMention {
	p := pathMention{path: strings.ToLower(strings.ReplaceAll(written, `\`, "/"))}
	p.path = strings.Trim(path.Clean(strings.TrimLeft(p.path, "@~$/")), "/")
	for strings.HasPrefix(p.path, "../") {
		p.path = p.path[len("../"):]
	}
	base := path.Base(p.path)
	p.file = len(path.Ext(base)) > 1
	if m := installed.FindStringSubmatch("/" + p.path); m != nil {
		p.foreign, p.library = nameCount(("/" + p.path)[len(m[0]):]), cmp.Or(m[1], m[2], m[3], m[4])
	}
	if !strings.Contains(p.path, "/") && !p.file {
		return pathMention{}
	}
	return p
}

// alternatives returns the possible meanings, most likely first. What looks like a file's
// name may be a module, or a symbol in one, with dots between its names.
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

// matchesFile reports whether a file is the one mentioned. rel is in lower case, and
// begins with the name of the root folder. A path from another machine has only its end in
// common.
func (p pathMention) matchesFile(rel string) bool {
	if !p.file {
		rel = moduleOf(rel)
	}
	n, all := commonTail(p.path, rel), nameCount(p.path)
	if n < all && p.foreign > 0 {
		return n >= p.foreign && p.known(n, rel) || p.builtFrom(rel)
	}
	return n == all || n >= 3 || n == 2 && nameCount(rel) <= 3
}

// known reports whether a file that has n names in common with an installed one is probably of its library: the
// library's name is part of the path, that of a folder of the file, or n are so many that it can't be chance.
func (p pathMention) known(n int, rel string) bool {
	library := strings.ReplaceAll(path.Base("/"+p.library), "-", "_")
	return p.library == "" || n > 2 ||
		strings.Contains("/"+strings.ReplaceAll(path.Dir(rel), "-", "_")+"/", "/"+library+"/")
}

// builtFrom reports whether a file in TypeScript is what an installed file was built from.
func (p pathMention) builtFrom(rel string) bool {
	names := strings.Split(p.path, "/")
	inside := builtFolder.ReplaceAllString(strings.Join(names[len(names)-p.foreign:], "/"), "")
	ext := path.Ext(rel)
	if p.library == "" || (ext != ".ts" && ext != ".tsx") || strings.HasSuffix(rel, ".d.ts") {
		return false
	}
	stem := strings.TrimSuffix(inside, path.Ext(inside))
	n := commonTail(stem, strings.TrimSuffix(rel, ext))
	return n == nameCount(stem) && p.known(n, rel)
}

// matchesFolderOf reports whether a file is in the mentioned folder.
func (p pathMention) matchesFolderOf(rel string) bool {
	all := nameCount(p.path)
	for dir := path.Dir(rel); nameCount(dir) >= all && dir != "."; dir = path.Dir(dir) {
		if commonTail(p.path, dir) == all {
			return true
		}
	}
	return false
}

// moduleOf returns the name that imports use for a file: its path without the extension,
// or its folder if the file stands for that.
func moduleOf(rel string) string {
	rel = strings.TrimSuffix(rel, path.Ext(rel))
	switch path.Base(rel) {
	case "index", "__init__", "mod", "init":
		return path.Dir(rel)
	}
	return rel
}

func nameCount(p string) int { return strings.Count(p, "/") + 1 }

// commonTail returns the number of names at the end that two paths have in common.
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
