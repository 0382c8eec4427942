package conventions

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Workspaces are the files that list the members of a workspace, as search_text takes them; the manifests of members
// are among [Naming].
var Workspaces = []string{"/pom.xml", "/*/pom.xml", "/settings.gradle*", "/Cargo.toml", "/package.json",
	"/pnpm-workspace.yaml", "/lerna.json", "/go.work", "/pyproject.toml", "/mix.exs", "/*.sln", "/*.slnx"}

// Members returns what a file lists as members of its workspace, with their lines.
func Members(s Source) (all []Dependency) {
	list := membersOf(s.manifestName())
	if list == nil {
		return nil
	}
	list(s, func(text string, line int) {
		if text = strings.TrimSpace(text); text != "" {
			all = append(all, Dependency{Text: text, Line: line})
		}
	})
	return all
}

// listMembers calls add for each member in a file, with the index of its line.
type listMembers func(s Source, add func(text string, line int))

// membersOf returns what reads the members from a manifest of that name, nil if it has none.
func membersOf(name string) listMembers {
	switch {
	case name == "pom.xml":
		return mavenMembers
	case strings.HasPrefix(name, "settings.gradle"):
		return gradleMembers
	case strings.HasSuffix(name, ".toml"):
		return tomlMembers
	case strings.HasSuffix(name, ".json"):
		return jsonMembers
	case name == "pnpm-workspace.yaml":
		return pnpmMembers
	case name == "go.work":
		return goMembers
	case strings.HasPrefix(path.Ext(name), ".sln"):
		return solutionMembers
	}
	return nil
}

func mavenMembers(s Source, add func(string, int)) {
	for _, e := range xmlEntries(s.Lines) {
		if strings.HasSuffix(e.under, "modules/module") {
			add(e.text, e.line)
		}
	}
}

// addTexts adds each text in quotes.
func addTexts(list string, line int, add func(string, int)) {
	for _, m := range tomlText.FindAllStringSubmatch(list, -1) {
		add(m[1]+m[2], line)
	}
}

func gradleMembers(s Source, add func(string, int)) {
	for i, line := range s.Lines {
		before := strings.TrimSpace(s.Lines[max(0, i-1)])
		continued := i > 0 && (strings.HasSuffix(before, ",") || strings.HasSuffix(before, "include("))
		if gradleInclude.MatchString(line) || continued && gradleMember.MatchString(strings.TrimSpace(line)) {
			addTexts(line, i, add)
		}
	}
}

func tomlMembers(s Source, add func(string, int)) {
	for _, e := range tomlEntries(s.Lines) {
		key, list, oneLine := strings.Cut(e.text, "=")
		switch under := e.under; {
		case under == "workspace.members", under == "tool.uv.workspace.members":
			add(e.text, e.line)
		case (under == "workspace" || under == "tool.uv.workspace") && oneLine && strings.TrimSpace(key) == "members":
			addTexts(list, e.line, add)
		}
	}
}

func jsonMembers(s Source, add func(string, int)) {
	for _, e := range jsonEntries(s.Lines) {
		m := jsonKey.FindStringSubmatch(e.text)
		switch {
		case m != nil && (m[1] == "workspaces" || m[1] == "packages") && (e.under == "" || e.under == "workspaces"):
			addTexts(strings.TrimPrefix(e.text, m[0]), e.line, add)
		case m == nil && (e.under == "workspaces" || e.under == "workspaces.packages" ||
			e.under == "packages" && s.manifestName() == "lerna.json"):
			addTexts(e.text, e.line, add)
		}
	}
}

func pnpmMembers(s Source, add func(string, int)) {
	within := false
	for i, line := range s.Lines {
		if !strings.HasPrefix(line, " ") && !strings.HasPrefix(line, "-") && line != "" && line[0] != '#' {
			within = strings.HasPrefix(line, "packages:")
		}
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && within {
			add(strings.Trim(item, `"'`), i)
		}
	}
}

func goMembers(s Source, add func(string, int)) {
	within := false
	for i, line := range s.Lines {
		text := strings.TrimSpace(line)
		if one, ok := strings.CutPrefix(text, "use "); ok && one != "(" {
			add(one, i)
		}
		within = (within || text == "use (") && text != ")"
		if within && text != "use (" && !strings.HasPrefix(text, "//") {
			add(text, i)
		}
	}
}

func solutionMembers(s Source, add func(string, int)) {
	for i, line := range s.Lines {
		if m := solutionProject.FindStringSubmatch(line); m != nil {
			add(strings.ReplaceAll(m[1]+m[2], `\`, "/"), i)
		}
	}
}

var (
	gradleInclude   = lazyregexp.New(`^\s*include\b`)
	gradleMember    = lazyregexp.New(`^["']:?[\w:./-]+["'],?$`)
	solutionProject = lazyregexp.New(`^Project\(.*"([^"]+\.\w+proj)"|<Project Path="([^"]+)"`)
)

// SayMembers lists the members of the workspaces that some files describe. manifests are the paths of the manifests of
// packages, which stand for members that are given by a pattern. It returns "" if no file lists any.
func SayMembers(files []Source, manifests []string) (text string) {
	for _, s := range files {
		all := Members(s)
		if len(all) == 0 {
			continue
		}
		text += fmt.Sprintf("%s lists %d:\n\n", s.Path, len(all))
		if len(all) == 1 && !strings.Contains(all[0].Text, "*") {
			text = strings.TrimSuffix(text, "1:\n\n") + "one:\n\n"
		}
		for _, m := range all[:min(len(all), listedMembers)] {
			text += fmt.Sprintf("- %s — %s\n", code(m.Text), s.place(m.Line))
			if !strings.Contains(m.Text, "*") || strings.HasPrefix(m.Text, "!") {
				continue
			}
			var matched []string
			for _, p := range manifests {
				pattern := strings.TrimSuffix(strings.TrimPrefix(m.Text, "./"), "/")
				if ok, _ := path.Match(strings.ReplaceAll(pattern, "**", "*"), path.Dir(p)); ok &&
					!slices.Contains(matched, code(path.Dir(p))) {
					matched = append(matched, code(path.Dir(p)))
				}
			}
			if len(matched) > 0 {
				text = strings.TrimSuffix(text, "\n") + ": " + strings.Join(matched, ", ") + "\n"
			}
		}
		if more := len(all) - listedMembers; more > 0 {
			text += fmt.Sprintf("- and %d more\n", more)
		}
		text += "\n"
	}
	return text
}

const listedMembers = 60
