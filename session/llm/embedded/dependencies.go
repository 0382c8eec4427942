package embedded

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// dependencies lists what the manifests of the project name as its dependencies.
type dependencies struct{}

const (
	readDependencies = 8  // maximum number of manifests that are read
	listedDependency = 25 // maximum number of listed ones of a manifest
)

// manifests are the files that name dependencies, as search_text takes them.
var manifests = []string{"/go.mod", "/Cargo.toml", "/*/Cargo.toml", "/package.json", "/pyproject.toml",
	"/requirements*.txt", "/setup.cfg", "/pom.xml",
	"/build.gradle", "/build.gradle.kts", "/*/build.gradle", "/*/build.gradle.kts", "/Gemfile", "/composer.json",
	"/mix.exs", "/*.csproj", "/Package.swift"}

func (x dependencies) next(p progress) step {
	searches, reads := p.of("search_text"), p.of("read_file")
	if len(searches) == 0 {
		return step{calls: []llm.Call{callTool("search_text", args{"pattern": dependencyLine, "include": manifests,
			"files_only": true})}}
	}
	found := decode[countedText](&searches[0])
	if !searches[0].OK {
		return p.failed("The search failed", searches[0])
	}
	found.Files = p.manifestsMeant(found.Files)
	if len(reads) == 0 && len(found.Files) > 0 {
		var calls []llm.Call
		for _, file := range found.Files[:min(readDependencies, len(found.Files))] {
			calls = append(calls, callTool("read_file", args{"file": file.File}))
		}
		return step{calls: calls}
	}
	text := ""
	for _, r := range reads {
		read := decode[readResult](&r)
		if !r.OK {
			continue
		}
		names := dependenciesIn(strings.ToLower(base(read.File)), read.text())
		if len(names) == 0 {
			continue
		}
		listed := names[:min(listedDependency, len(names))]
		text += fmt.Sprintf("%s names %d:\n\n- %s", p.rel(read.File), len(names), strings.Join(listed, "\n- "))
		if more := len(names) - len(listed); more > 0 {
			text += fmt.Sprintf("\n- and %d more", more)
		}
		text += "\n\n"
	}
	if text == "" {
		return answerWith("I found no manifest with dependencies near the top of the workspace.\n")
	}
	return answerWith(text + "Indirect dependencies are left out.\n")
}

// manifestsMeant returns the manifests of the package that the message names by its folder; else all, those of tests
// and examples last.
func (p progress) manifestsMeant(files []counted) []counted {
	words := lexicon.Asked(p.message)
	meant := slices.DeleteFunc(slices.Clone(files), func(c counted) bool {
		return !slices.Contains(words, strings.ToLower(filepath.Base(filepath.Dir(c.File)))) ||
			!strings.Contains(p.rel(c.File), "/")
	})
	if len(meant) > 0 {
		return meant
	}
	return slices.SortedStableFunc(slices.Values(files), func(a, b counted) int {
		return order(aside.MatchString(p.rel(a.File))) - order(aside.MatchString(p.rel(b.File)))
	})
}

// dependencyLine matches a line in a manifest with dependencies.
const dependencyLine = `(?i)dependenc|^require\b|"require"|^\s*(?:implementation|api|compileOnly` +
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

// dependenciesIn returns the dependencies that the lines of a manifest name.
func dependenciesIn(name string, lines []string) (names []string) {
	inTable, inList := false, false
	for _, line := range lines {
		trimmed := strings.TrimRight(strings.TrimSpace(line), ",")
		switch {
		case strings.HasPrefix(name, "requirements"):
			if trimmed != "" && !strings.ContainsAny(trimmed[:1], "#-") {
				names = append(names, code(trimmed))
			}
		case gradle.MatchString(line) && strings.HasPrefix(name, "build.gradle"), gem.MatchString(line),
			singleRequire.MatchString(line):
			names = append(names, code(trimmed))
		case ownTable.MatchString(trimmed):
			names, inTable = append(names, code(ownTable.FindStringSubmatch(trimmed)[1])), false
		case dependencyTable.MatchString(trimmed):
			inTable = true
		case strings.HasPrefix(trimmed, "[") && !inList:
			inTable = false
		case dependencyList.MatchString(line) && strings.HasSuffix(trimmed, "]"):
			for _, m := range quotedName.FindAllStringSubmatch(line, -1) {
				names = append(names, code(m[1]))
			}
		case dependencyList.MatchString(line):
			inList = !strings.HasSuffix(trimmed, "]") && !strings.HasSuffix(trimmed, "}")
		case inList && listEnd.MatchString(line):
			inList = false
		case artifact.MatchString(line) && inList:
			names = append(names, code(artifact.FindStringSubmatch(line)[1]))
		case trimmed == "", strings.HasPrefix(trimmed, "#"), strings.HasPrefix(trimmed, "//"), strings.HasSuffix(trimmed,
			"// indirect"), strings.HasPrefix(trimmed, "<"):
		case inList, inTable && keyed.MatchString(trimmed):
			names = append(names, code(trimmed))
		}
	}
	return names
}
