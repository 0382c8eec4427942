package conventions

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Manifests are the files that name dependencies, as search_text takes them.
var Manifests = []string{"/go.mod", "/Cargo.toml", "/*/Cargo.toml", "/crates/*/Cargo.toml", "/package.json",
	"/packages/*/package.json", "/pyproject.toml", "/*/pyproject.toml", "/requirements*.txt", "/requirements/*.txt",
	"/setup.cfg", "/setup.py", "/pom.xml", "/*/pom.xml", "/build.gradle", "/build.gradle.kts", "/*/build.gradle",
	"/*/build.gradle.kts", "/Gemfile", "/*.gemspec", "/composer.json", "/mix.exs", "/*.csproj", "/*/*.csproj",
	"/*/*/*.csproj", "/Package.swift"}

// LockedVersions are further files that say which version of a dependency a project has.
var LockedVersions = []string{"*.csproj", "/Directory.Packages.props", "/requirements/*.txt", "/gradle/*.toml",
	"/*.gemspec", "/packages/*/package.json", "/build.sbt", "/CMakeLists.txt", "/meson.build"}

// NamesDependency returns a pattern of the lines of manifests with which they name a dependency.
func NamesDependency(name string) string {
	return `(?i)(?:^|["'\s/:(<>,=])` + regexp.QuoteMeta(name) + `(?:$|["'\s@=<>~^:,;)\[])`
}

const (
	listedDependencies = 25 // maximum number of listed ones of a manifest
	listedManifests    = 3  // maximum number of manifests whose dependencies are listed
)

// SayDependencies lists what some manifests name as dependencies: those of the package that has one of some names, else
// of the one that is called as the project, and else of those nearest to the top; the other manifests are counted. It
// returns "" if there are none.
func SayDependencies(files []Source, project string, names []string) string {
	type found struct {
		Source
		all  []Dependency
		rank int
	}
	var manifests []found
	for _, s := range files {
		f := found{s, Dependencies(s), 2 + strings.Count(s.Path, "/")}
		name, folder := NameOf(s), path.Base(path.Dir(s.Path))
		called := func(as string) bool { return strings.EqualFold(path.Base(name), as) }
		switch {
		case slices.ContainsFunc(names, func(n string) bool { return called(n) || strings.EqualFold(folder, n) }):
			f.rank = 0
		case called(project):
			f.rank = 1
		}
		if strings.HasPrefix(s.manifestName(), "requirements-") || strings.HasPrefix(s.manifestName(), "requirements_") {
			f.rank++
		}
		if Aside.MatchString(s.Path) && f.rank > 0 {
			f.rank += 10
		}
		if len(f.all) > 0 {
			manifests = append(manifests, f)
		}
	}
	slices.SortStableFunc(manifests, func(a, b found) int { return a.rank - b.rank })
	text := ""
	for i, f := range manifests {
		if i == listedManifests || i > 0 && f.rank > manifests[0].rank && f.rank != 2 {
			text += "Further manifests with dependencies:\n\n"
			for _, other := range manifests[i:min(len(manifests), i+listedDependencies)] {
				text += fmt.Sprintf("- %s — %d\n", other.Path, len(other.all))
			}
			if more := len(manifests) - i - listedDependencies; more > 0 {
				text += fmt.Sprintf("- and %d more\n", more)
			}
			return text + "\n"
		}
		text += listDependencies(f.Source, f.all)
	}
	return text
}

// listDependencies lists the dependencies of a manifest by their groups, each with its count.
func listDependencies(s Source, all []Dependency) (text string) {
	var groups []string
	count := map[string]int{}
	for _, d := range all {
		if count[d.Group]++; count[d.Group] == 1 {
			groups = append(groups, d.Group)
		}
	}
	slices.SortStableFunc(groups, func(a, b string) int { return min(1, len(a)) - min(1, len(b)) })
	for i, group := range groups {
		if i == 0 {
			text = s.Path + " names " + strings.TrimSpace(fmt.Sprintf("%d %s", count[group], group)) + ":\n\n"
		} else {
			text += fmt.Sprintf("And %d %s:\n\n", count[group], group)
		}
		listed := 0
		for _, d := range all {
			if d.Group == group && listed < listedDependencies {
				listed++
				text += fmt.Sprintf("- %s — %s\n", code(d.Text), s.place(d.Line))
			}
		}
		if more := count[group] - listed; more > 0 {
			text += fmt.Sprintf("- and %d more\n", more)
		}
		text += "\n"
	}
	return text
}

// code returns a text as a Markdown code span.
func code(s string) string {
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}
