package conventions

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// nameLine matches the line with which a manifest says the name NAME.
const nameLine = `(?i)^\s*"?name"?\s*[:=]\s*["']NAME["']|^module (?:\S*/)?NAME(?:/v\d+)?\s*$|` +
	`^ {0,4}<artifactId>NAME<|^rootProject\.name\s*=\s*["']NAME["']|^\s*app: :NAME\b|^\s*\w+\.name\s*=\s*["']NAME["']`

// Naming are the files that say the names of a project and of its packages.
var Naming = []string{"/go.mod", "/Cargo.toml", "/*/Cargo.toml", "/*/*/Cargo.toml", "/package.json", "/*/package.json",
	"/*/*/package.json", "/pyproject.toml", "/setup.py", "/setup.cfg", "/pom.xml", "/*/pom.xml", "/settings.gradle*",
	"/composer.json", "/mix.exs", "/*.gemspec"}

// NameLine returns the pattern of the lines with which a manifest says that a project or a package has a name.
func NameLine(name string) string {
	return strings.ReplaceAll(nameLine, "NAME", regexp.QuoteMeta(name))
}

// Beside reports whether a package.json at the top is not the manifest of the project, but of something beside it, such
// as its documentation: among the names of the files next to it is a manifest of another kind, and its name, as it
// stands in a line, says what it is for.
func Beside(nameLine, project string, names []string) bool {
	m := Member.FindStringSubmatch(nameLine)
	if m == nil || m[1] != "name" || plainName(path.Base(m[2])) == plainName(project) {
		return false
	}
	return besideName.MatchString(m[2]) && slices.ContainsFunc(names, ownManifest.MatchString)
}

// Own leaves out of the files of a project the package.json of what stands beside it.
func Own(files []Source, project string, names ...string) []Source {
	for _, s := range files {
		if !strings.Contains(s.Path, "/") {
			names = append(names, s.Path)
		}
	}
	return slices.DeleteFunc(slices.Clone(files), func(s Source) bool {
		at := slices.IndexFunc(s.Lines, func(line string) bool { return strings.Contains(line, `"name"`) })
		return s.Path == "package.json" && at >= 0 && Beside(s.Lines[at], project, names)
	})
}

// OwnNames are the manifests at the top, as search_text takes them, and OwnName is the pattern of the lines with which
// they name the project.
var OwnNames = []string{"/package.json", "/*.gemspec", "/Cargo.toml", "/pyproject.toml", "/go.mod", "/setup.py",
	"/setup.cfg", "/pom.xml", "/mix.exs"}

const OwnName = `^\s*"name":\s*"|\bname\s*=|^module |<artifactId>|\bapp:`

var (
	ownManifest = lazyregexp.New(`(?i)^(?:.*\.gemspec|cargo\.toml|pyproject\.toml|go\.mod|setup\.(?:py|cfg)|pom\.xml|` +
		`mix\.exs)$`)
	besideName = lazyregexp.New(`(?i)(?:^|[-_/])(?:docs?|documentation|web|website|site|www|demos?|examples?|playground|` +
		`tools?|scripts|e2e|benchmarks?|dev|assets|theme)(?:$|[-_])`)
)

// plainName returns a name without the signs that packages of some languages can't have.
func plainName(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
}

// SameVersion reports whether the first versions in two lines are one, perhaps with a mark such as of a development
// version.
func SameVersion(a, b string) bool {
	a, b = versionIn.FindString(a), versionIn.FindString(b)
	return a != "" && b != "" && (strings.HasPrefix(a+".", b+".") || strings.HasPrefix(b+".", a+".") ||
		strings.HasPrefix(a+"-", b+"-") || strings.HasPrefix(b+"-", a+"-"))
}

var versionIn = lazyregexp.New(`\d+(?:\.\d+)+[\w.-]*`)
