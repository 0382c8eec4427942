package conventions

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// VersionLine matches the lines that may be headings of versions in a changelog, and perhaps others. It is a pattern
// for search_text.
const VersionLine = `(?i)^(?:[#=*]+ ?|\[)?[^.;]{0,40}\d+\.\d[\w.+-]*`

// VersionHeads are the files with a changelog: those of the usual names, and the folders that have a file for each
// version.
var VersionHeads = append([]string{"/CHANGELOG/*", "/changelog/*", "/changelogs/*", "/docs/changelog/*",
	"/docs/changelogs/*", "/docs/releases/*", "/docs/news*", "/docs/whatsnew*", "/docs/**/changelog.*",
	"/docs/**/changes.*", "/docs/src/*history*", "/docs/source/*change*", "/ChangeLog*", "/whatsnew*", "/doc/news*",
	"/doc/NEWS*", "/doc/release*", "/release-notes/*", "/RELEASE-NOTES*", "/RELEASENOTES*",
	"/packages/*/CHANGELOG.md"}, Changelogs...)

// VersionOf returns the version that a line of a changelog is the heading of, "" if it is none.
func VersionOf(line string) string {
	line = strings.TrimRight(line, " \t\r")
	if m := fromTo.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	m := versionHead.FindStringSubmatch(line)
	if m == nil || underVersion.MatchString(m[1]) {
		return ""
	}
	return strings.TrimRight(m[2], ".-")
}

var (
	fromTo      = lazyregexp.New(`(?i)^\W{0,3}changes from \S+ to v?(\d[\w.+-]*)$`)
	versionHead = lazyregexp.New(`(?i)^(?:#{1,6}\s*|=+\s+|\*\s|\*\*)?\[?((?:[a-z@][\w@/.-]*[ :]\s*){0,4}?)` +
		`\[?v?(\d+\.\d[\w.+-]*)\]?(?:\*\*)?(?:\s*(?:[-–—:(/,\[].*|released?|beta\d*|alpha\d*|final|\d{4}-.*|=+` +
		`|\*\*.*))?$`)
	// underVersion are the words before a version in headings of parts of a section, and in sentences.
	underVersion = lazyregexp.New(`(?i)\b(?:to|from|since|in|of|with|python|node|php|ruby|java|jdk|go|rust|support|` +
		`supports|drop\w*|require\w*|upgrad\w*|updat\w*|bump\w*|fix\w*|add\w*|use|uses|see|for|and|minimum|min)\b`)
)

// VersionFits reports whether a version is the one that is asked for: the same, but for zeros at the end.
func VersionFits(version, asked string) bool {
	zeros := func(v string) string {
		for strings.HasSuffix(v, ".0") {
			v = strings.TrimSuffix(v, ".0")
		}
		return strings.ToLower(v)
	}
	return zeros(version) == zeros(asked)
}

// VersionWithin reports whether a version is one of those that begin as the asked one does, such as 2.3.1 of 2.
func VersionWithin(version, asked string) bool { return strings.HasPrefix(version, asked+".") }
