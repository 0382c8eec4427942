package conventions

import (
	"regexp"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
)

// DependencyLine matches a line in a manifest with dependencies.
const DependencyLine = `(?i)dependenc|^require\b|"require"|^\s*(?:implementation|api|compileOnly` +
	`|testImplementation)\b|^gem |\{:\w+, |PackageReference|^[A-Za-z][\w.-]*\s*[=<>~]=`

var (
	dependencyTable = lazyregexp.New(`^\[(?:.*\.)?(?:(?:dev-|build-)?dependencies` +
		`|(?:tool\.poetry\.)?(?:group\.\w+\.)?dependencies)\]`)
	ownTable       = lazyregexp.New(`^\[(?:target\..*\.)?(?:dev-|build-)?dependencies\."?([\w-]+)"?\]`)
	dependencyList = lazyregexp.New(`(?i)^\s*"?(?:dev|peer|optional)?_?dependencies"?\s*[:=]\s*[\[{(]|^require \(` +
		`|^\s*"require(?:-dev)?":\s*\{|^\s*<dependencies>|^\s*defp? deps`)
	quotedName = lazyregexp.New(`["']([A-Za-z@][^"']*)["'](?:[,\]]|\s)`)
	listEnd    = lazyregexp.New(`^\s*[\])}]|^\s*</dependencies>|^\s*end$`)
	gradle     = lazyregexp.New(`^\s*(?:implementation|api|compileOnly|runtimeOnly|compile|ksp|kapt` +
		`|testImplementation|testCompile)[ (].+`)
	artifact = lazyregexp.New(`<artifactId>([^<]+)</artifactId>`)
	gem      = lazyregexp.New(`^\s*gem ['"]([^'"]+)['"].*|^.*PackageReference Include="([^"]+)".*` +
		`|^\s*\.package\(.*`)
	singleRequire = lazyregexp.New(`^require (\S+ v\S+)$`)
)

// Dependencies returns the dependencies that the lines of a manifest name.
func Dependencies(name string, lines []string) (names []string) {
	inTable, inList := false, false
	for _, line := range lines {
		trimmed := strings.TrimRight(strings.TrimSpace(line), ",")
		switch {
		case strings.HasPrefix(name, "requirements"):
			if trimmed != "" && !strings.ContainsAny(trimmed[:1], "#-") {
				names = append(names, trimmed)
			}
		case gradle.MatchString(line) && strings.HasPrefix(name, "build.gradle"), gem.MatchString(line),
			singleRequire.MatchString(line):
			names = append(names, trimmed)
		case ownTable.MatchString(trimmed):
			names, inTable = append(names, ownTable.FindStringSubmatch(trimmed)[1]), false
		case dependencyTable.MatchString(trimmed):
			inTable = true
		case strings.HasPrefix(trimmed, "[") && !inList:
			inTable = false
		case dependencyList.MatchString(line) && strings.HasSuffix(trimmed, "]"):
			for _, m := range quotedName.FindAllStringSubmatch(line, -1) {
				names = append(names, m[1])
			}
		case dependencyList.MatchString(line):
			inList = !strings.HasSuffix(trimmed, "]") && !strings.HasSuffix(trimmed, "}")
		case inList && listEnd.MatchString(line):
			inList = false
		case artifact.MatchString(line) && inList:
			names = append(names, artifact.FindStringSubmatch(line)[1])
		case trimmed == "", strings.HasPrefix(trimmed, "#"), strings.HasPrefix(trimmed, "//"), strings.HasSuffix(trimmed,
			"// indirect"), strings.HasPrefix(trimmed, "<"):
		case !strings.ContainsFunc(trimmed, unicode.IsLetter):
		case inList, inTable && Keyed.MatchString(trimmed):
			names = append(names, trimmed)
		}
	}
	return names
}

// Manifests are the files that name dependencies, as search_text takes them.
var Manifests = []string{"/go.mod", "/Cargo.toml", "/*/Cargo.toml", "/package.json", "/pyproject.toml",
	"/requirements*.txt", "/setup.cfg", "/pom.xml",
	"/build.gradle", "/build.gradle.kts", "/*/build.gradle", "/*/build.gradle.kts", "/Gemfile", "/composer.json",
	"/mix.exs", "/*.csproj", "/Package.swift"}

// LockedVersions are further files that say which version of a dependency a project has.
var LockedVersions = []string{"*.csproj", "/Directory.Packages.props", "/requirements/*.txt", "/gradle/*.toml", "/*.gemspec",
	"/packages/*/package.json", "/build.sbt", "/CMakeLists.txt", "/meson.build"}

// NamesDependency returns a pattern of the lines of manifests with which they name a dependency.
func NamesDependency(name string) string {
	return `(?i)(?:^|["'\s/:(<>,=])` + regexp.QuoteMeta(name) + `(?:$|["'\s@=<>~^:,;)\[])`
}
