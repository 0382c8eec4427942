package conventions

import (
	"fmt"
	"path"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Dependency is what a manifest says that a package depends on.
type Dependency struct {
	Text  string // as the manifest has it
	Line  int    // index
	Group string // what needs it besides the package itself, such as "for development"; "" for the package
}

// The groups that ecosystems have in common.
const (
	forDevelopment = "for development"
	forTests       = "for tests"
	forBuilds      = "for its build"
	fromUsers      = "that its users provide"
	optional       = "optional"
)

// Dependencies returns the dependencies that a manifest names, in its order. Indirect ones, versions that other
// manifests share, and the languages' own are none.
func Dependencies(s Source) []Dependency {
	switch name := s.manifestName(); {
	case strings.HasPrefix(name, "requirements") || path.Base(path.Dir(s.Path)) == "requirements":
		return requirements(s)
	case name == "cargo.toml":
		return cargo(s)
	case name == "pyproject.toml":
		return pyproject(s)
	case name == "package.json" || name == "composer.json":
		return ofObjects(s)
	case name == "pom.xml":
		return maven(s)
	case strings.HasSuffix(name, "proj"):
		return dotnet(s)
	case name == "go.mod":
		return goModule(s)
	case name == "setup.cfg" || name == "setup.py":
		return setuptools(s)
	}
	return ofLines(s)
}

func requirements(s Source) (all []Dependency) {
	for i, line := range s.Lines {
		if text := strings.TrimSpace(line); text != "" && !strings.ContainsAny(text[:1], "#-") {
			all = append(all, Dependency{text, i, ""})
		}
	}
	return all
}

func cargo(s Source) (all []Dependency) {
	for _, e := range tomlEntries(s.Lines) {
		m := cargoTable.FindStringSubmatch(e.under)
		if m == nil || strings.HasPrefix(e.under, "workspace.") {
			continue
		}
		group := map[string]string{"dev-": forDevelopment, "build-": forBuilds}[m[1]]
		own := m[2] != ""
		switch {
		case own && e.text == "":
			all = append(all, Dependency{m[2], e.line, group})
		case own && optionalTrue.MatchString(e.text):
			all[len(all)-1].Group = optional
		case !own && optionalTrue.MatchString(e.text) && group == "":
			all = append(all, Dependency{e.text, e.line, optional})
		case !own && Keyed.MatchString(e.text) || !own && strings.Contains(e.text, "workspace"):
			all = append(all, Dependency{e.text, e.line, group})
		}
	}
	return all
}

var (
	cargoTable   = lazyregexp.New(`(?:^|\.)(dev-|build-)?dependencies(?:\.([\w-]+))?$`)
	optionalTrue = lazyregexp.New(`\boptional\s*=\s*true`)
)

func pyproject(s Source) (all []Dependency) {
	for _, e := range tomlEntries(s.Lines) {
		key, value, _ := strings.Cut(e.text, "=")
		key = strings.Trim(key, ` "`)
		group, isList := pythonGroup(e.under)
		switch {
		case e.text == "" || !isList:
		case e.under != "tool.poetry.dependencies" && !strings.HasSuffix(e.under, ".dependencies") ||
			e.under == "project.dependencies":
			all = append(all, inLine(e, group)...)
		case key == "python":
		case optionalTrue.MatchString(value):
			all = append(all, Dependency{e.text, e.line, optional})
		default:
			all = append(all, Dependency{e.text, e.line, group})
		}
	}
	return all
}

// inLine returns the dependencies of an entry: itself, or the elements of a list in one line.
func inLine(e entry, group string) (all []Dependency) {
	key, list, isList := strings.Cut(e.text, "= [")
	if !isList {
		return []Dependency{{e.text, e.line, group}}
	}
	if extra, ok := pythonGroup(e.under + "." + strings.Trim(key, ` "`)); ok {
		group = extra
	}
	for _, m := range tomlText.FindAllStringSubmatch(list, -1) {
		all = append(all, Dependency{m[1] + m[2], e.line, group})
	}
	return all
}

// pythonGroup returns the group of the dependencies under a key of a pyproject.toml. It reports false if it has none.
func pythonGroup(under string) (string, bool) {
	switch m := pythonTable.FindStringSubmatch(under); {
	case m == nil:
		return "", false
	case m[1] != "":
		return "with the extra " + m[1], true
	case m[2]+m[3]+m[4] != "":
		return "of the group " + m[2] + m[3] + m[4], true
	case strings.Contains(under, "dev-dependencies"):
		return forDevelopment, true
	}
	return "", true
}

var pythonTable = lazyregexp.New(`^(?:project\.dependencies|project\.optional-dependencies\.([\w-]+)|` +
	`dependency-groups\.([\w-]+)|tool\.poetry\.dependencies|tool\.poetry\.group\.([\w-]+)\.dependencies|` +
	`tool\.poetry\.dev-dependencies|tool\.pdm\.dev-dependencies\.([\w-]+)|tool\.uv\.dev-dependencies)$`)

// ofObjects returns those of a package.json or a composer.json.
func ofObjects(s Source) (all []Dependency) {
	groups := map[string]string{"dependencies": "", "require": "", "devDependencies": forDevelopment,
		"require-dev": forDevelopment, "peerDependencies": fromUsers, "optionalDependencies": optional}
	for _, e := range jsonEntries(s.Lines) {
		m := Member.FindStringSubmatch(e.text)
		if group, ok := groups[e.under]; ok && m != nil && m[1] != "php" {
			all = append(all, Dependency{fmt.Sprintf("%q: %q", m[1], m[2]), e.line, group})
		}
	}
	return all
}

func maven(s Source) (all []Dependency) {
	for _, e := range xmlEntries(s.Lines) {
		switch e.under {
		case "project/dependencies/dependency":
			if e.text == "" {
				all = append(all, Dependency{"", e.line, ""})
			}
		case "project/dependencies/dependency/groupId":
			if len(all) > 0 && e.text != "" {
				all[len(all)-1].Text = e.text
			}
		case "project/dependencies/dependency/artifactId":
			if len(all) > 0 && e.text != "" {
				all[len(all)-1].Text = strings.TrimPrefix(all[len(all)-1].Text+":"+e.text, ":")
				all[len(all)-1].Line = e.line
			}
		case "project/dependencies/dependency/scope":
			if scope := map[string]string{"test": forTests, "provided": fromUsers}[e.text]; scope != "" && len(all) > 0 {
				all[len(all)-1].Group = scope
			}
		case "project/dependencies/dependency/optional":
			if e.text == "true" && len(all) > 0 {
				all[len(all)-1].Group = optional
			}
		}
	}
	return all
}

func dotnet(s Source) (all []Dependency) {
	for _, e := range xmlEntries(s.Lines) {
		switch {
		case strings.HasSuffix(e.under, "/PackageReference/@Include"), strings.HasSuffix(e.under,
			"/ProjectReference/@Include"):
			all = append(all, Dependency{e.text, e.line, ""})
		case strings.HasSuffix(e.under, "/PackageReference/@Version") && len(all) > 0:
			all[len(all)-1].Text += " " + e.text
		}
	}
	return all
}

func goModule(s Source) (all []Dependency) {
	for i, line := range s.Lines {
		if m := requiredModule.FindStringSubmatch(line); m != nil && !strings.Contains(line, "// indirect") {
			all = append(all, Dependency{m[1], i, ""})
		}
	}
	return all
}

var requiredModule = lazyregexp.New(`^(?:require |\t|\s+)([\w.~-]+\.[\w.~-]+/?\S* v\S+)`)

// setuptools returns those of a setup.cfg or a setup.py.
func setuptools(s Source) (all []Dependency) {
	group, open := "", false
	for i, line := range s.Lines {
		text := strings.Trim(strings.TrimSpace(line), ",")
		m := setupList.FindStringSubmatch(text)
		extra := setupExtra.FindStringSubmatch(text)
		switch {
		case m != nil:
			group, open = map[string]string{"tests_require": forTests, "setup_requires": forBuilds}[m[1]], true
			text = m[2]
		case strings.HasPrefix(text, "[options.extras_require]"), strings.HasPrefix(text, "extras_require"):
			group, open = optional, true
			continue
		case extra != nil && open && (group == optional || strings.HasPrefix(group, "with ")):
			group, text = "with the extra "+extra[1], extra[2]
		case open && (text == "" || strings.HasPrefix(text, "[") || closesList.MatchString(text) ||
			setupKey.MatchString(text)):
			open = strings.HasPrefix(group, "with ") && strings.HasPrefix(text, "]")
		}
		for _, found := range setupText.FindAllStringSubmatch(text, -1) {
			if found[0] = strings.Trim(found[0], `"'`); open && found[0] != "" {
				all = append(all, Dependency{found[0], i, group})
			}
		}
		if m != nil && strings.HasSuffix(text, "]") {
			open = false
		}
	}
	return all
}

var (
	setupList  = lazyregexp.New(`^(install_requires|tests_require|setup_requires)\s*=\s*(.*)$`)
	setupExtra = lazyregexp.New(`^["']?([\w-]+)["']?\s*[=:]\s*(\[?.*)$`)
	setupKey   = lazyregexp.New(`^\w+\s*=(?:[^=]|$)`)
	setupText  = lazyregexp.New(`"[^"]*"|'[^']*'|^[A-Za-z][\w.\[\]-]*\s*(?:[<>=!~;].*)?$`)
	closesList = lazyregexp.New(`^[\])}]`)
)

// ofLines returns those of a manifest that is a program: one of Gradle, Ruby, Elixir or Swift.
func ofLines(s Source) (all []Dependency) {
	group := ""
	for i, line := range s.Lines {
		text := strings.TrimSpace(line)
		if m := sourceSet.FindStringSubmatch(line); m != nil {
			group = ""
			if strings.HasSuffix(strings.ToLower(m[1]), "test") {
				group = forTests
			}
		}
		if m := gemGroup.FindStringSubmatch(line); m != nil {
			group = "of the group " + strings.ReplaceAll(m[1], ":", "")
		}
		if line == "end" {
			group = ""
		}
		m := dependencyCall.FindStringSubmatch(text)
		if m == nil || strings.HasPrefix(text, "//") || strings.HasPrefix(text, "#") {
			continue
		}
		of := group
		switch call := strings.ToLower(text); {
		case strings.Contains(call, "development_dependency"), strings.Contains(call, "only: :dev"),
			strings.Contains(call, "only: [:dev"):
			of = forDevelopment
		case strings.HasPrefix(call, "test"), strings.HasPrefix(call, "androidtest"), strings.Contains(call, "only: :test"):
			of = forTests
		case strings.HasPrefix(call, "compileonly"):
			of = fromUsers
		case strings.HasPrefix(call, "kapt"), strings.HasPrefix(call, "ksp"), strings.HasPrefix(call, "annotation"):
			of = forBuilds
		}
		all = append(all, Dependency{strings.TrimRight(text, ","), i, of})
	}
	return all
}

var (
	dependencyCall = lazyregexp.New(`^(?:(?:test|androidTest|debug|release|annotation|ksp` +
		`|kapt)?(?i:implementation|api|` +
		`compileOnly|runtimeOnly|processor|compile|kapt|ksp)[ (](?:["'a-z]).*|gem ["'].*|` +
		`\w+\.add_(?:runtime_|development_)?dependency\b.*|\{:\w+, .*|\.package\(.*)`)
	sourceSet = lazyregexp.New(`\b(\w*(?:Main|Test))\b[^=]*\{\s*$`)
	gemGroup  = lazyregexp.New(`^group (.*?) do$`)
)
