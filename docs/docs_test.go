package docs

import (
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ploke-lsp/internal/config"
)

const root = ".."

// page returns the text of a page, by its path from the root of the repository.
func page(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// pages returns the paths of all Markdown files from the root of the repository, but for what
// is generated or installed.
func pages(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		switch name := entry.Name(); {
		case entry.IsDir() && path != root &&
			(strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" || name == "build" || name == "bin" ||
				name == "artifacts" || name == "out"):
			return fs.SkipDir
		case !entry.IsDir() && filepath.Ext(name) == ".md":
			rel, err := filepath.Rel(root, path)
			paths = append(paths, rel)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) < 10 {
		t.Fatalf("there are only %d pages: %v", len(paths), paths)
	}
	return paths
}

func TestREADMEIsShort(t *testing.T) {
	const limit = 150
	if lines := strings.Count(page(t, "README.md"), "\n"); lines > limit {
		t.Errorf("the README has %d lines; at most %d are allowed", lines, limit)
	}
}

func TestArchitectureIsShort(t *testing.T) {
	const limit = 16 << 10
	if size := len(page(t, "ARCHITECTURE.md")); size > limit {
		t.Errorf("ARCHITECTURE.md has %d bytes; at most %d are allowed", size, limit)
	}
}

// TestDecisionsFillAScreen checks that each decision says what was decided and what would change it, on one screen, and
// that no two have one number.
func TestDecisionsFillAScreen(t *testing.T) {
	const screen = 50
	numbers := map[string]string{}
	for _, path := range decisions(t) {
		text, name := page(t, path), filepath.Base(path)
		number, _, _ := strings.Cut(name, "-")
		if other := numbers[number]; other != "" {
			t.Errorf("%s has the number of %s", name, other)
		}
		numbers[number] = name
		if !strings.HasPrefix(text, "# "+number+". ") {
			t.Errorf("%s does not begin with its number", name)
		}
		for _, part := range []string{"\n**What.** ", "\n**What would change it.** "} {
			if !strings.Contains(text, part) {
				t.Errorf("%s lacks %q", name, strings.TrimSpace(part))
			}
		}
		if lines := strings.Count(text, "\n"); lines > screen {
			t.Errorf("%s has %d lines; at most %d are allowed", name, lines, screen)
		}
	}
}

// decisions returns the paths of the pages that say why something is as it is.
func decisions(t *testing.T) (paths []string) {
	for _, path := range pages(t) {
		if filepath.ToSlash(filepath.Dir(path)) == "docs/decisions" {
			paths = append(paths, path)
		}
	}
	if len(paths) < 20 {
		t.Fatalf("there are only %d decisions: %v", len(paths), paths)
	}
	return paths
}

var (
	fence  = regexp.MustCompile("(?ms)^[ \t]*```.*?^[ \t]*```[ \t]*$")
	inline = regexp.MustCompile("`[^`\n]*`")
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
)

// prose returns a page without code, whose brackets are not links.
func prose(text string) string {
	return inline.ReplaceAllString(fence.ReplaceAllString(text, ""), "")
}

func TestLinksResolve(t *testing.T) {
	checked, headings := 0, map[string]map[string]bool{}
	for _, from := range pages(t) {
		for _, match := range link.FindAllStringSubmatch(prose(page(t, from)), -1) {
			target, err := url.Parse(match[1])
			if err != nil {
				t.Errorf("%s: %v", from, err)
				continue
			}
			if target.Scheme != "" {
				continue
			}
			checked++
			to := from
			if target.Path != "" {
				to = filepath.Join(filepath.Dir(from), target.Path)
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", from, match[1])
				continue
			}
			if target.Fragment == "" {
				continue
			}
			if headings[to] == nil {
				headings[to] = anchors(page(t, to))
			}
			if !headings[to][target.Fragment] {
				t.Errorf("%s: %s has no heading #%s", from, to, target.Fragment)
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d links were found", checked)
	}
}

var (
	heading     = regexp.MustCompile(`(?m)^#{1,6} +(.+?) *#*$`)
	notAnAnchor = regexp.MustCompile(`[^\pL\pN _-]`)
)

// anchors returns the anchors of a page's headings, as GitHub and GitLab derive them.
func anchors(text string) map[string]bool {
	all := map[string]bool{}
	for _, match := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		anchor := notAnAnchor.ReplaceAllString(strings.ToLower(match[1]), "")
		all[strings.ReplaceAll(anchor, " ", "-")] = true
	}
	return all
}

var tomlExample = regexp.MustCompile("(?ms)^```toml\n(.*?)^```")

// TestExamplesAreValid reads the examples of configuration files. Those of editors have
// other keys.
func TestExamplesAreValid(t *testing.T) {
	read := 0
	for _, from := range []string{"README.md", "docs/settings.md", "docs/how-it-searches.md"} {
		for _, match := range tomlExample.FindAllStringSubmatch(page(t, from), -1) {
			path := filepath.Join(t.TempDir(), "config.toml")
			if err := os.WriteFile(path, []byte(match[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			_, problems := config.Merge(config.ReadFile(path))
			for _, p := range problems {
				t.Errorf("%s: %v", from, p)
			}
			read++
		}
	}
	if read < 3 {
		t.Errorf("only %d examples were found", read)
	}
}

var (
	concept  = regexp.MustCompile("(?m)^\\| ([^|`]+) \\| (`.+) \\|$")
	itsFiles = regexp.MustCompile("`([^`]+/[^`]+)`")
)

// TestConceptsHaveFiles checks the table of ARCHITECTURE.md that says where a concept is.
func TestConceptsHaveFiles(t *testing.T) {
	_, table, found := strings.Cut(page(t, "ARCHITECTURE.md"), "\n## Where is it?\n")
	if !found {
		t.Fatal("the section is missing")
	}
	table, _, _ = strings.Cut(table, "\n## ")
	rows := concept.FindAllStringSubmatch(table, -1)
	if len(rows) < 12 {
		t.Errorf("the table has %d concepts; at least 12 are expected", len(rows))
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if seen[row[1]] {
			t.Errorf("there are two rows for %s", row[1])
		}
		seen[row[1]] = true
		for _, file := range itsFiles.FindAllStringSubmatch(row[2], -1) {
			if _, err := os.Stat(filepath.Join(root, file[1])); err != nil {
				t.Errorf("%s: there is no file %s", row[1], file[1])
			}
		}
	}
}

var (
	namedFile = regexp.MustCompile("`([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)*/[a-z0-9_-]+\\.(?:go|sh|md|json))`")
	mapped    = regexp.MustCompile("(?m)^\\| (`[^|]+`) \\| .+ \\| .+ \\|$")
)

// TestNamedFilesExist checks the files that pages name by their path from the root of the
// repository, and the folders of ARCHITECTURE.md's map.
func TestNamedFilesExist(t *testing.T) {
	sources := append(decisions(t), "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md")
	for _, from := range sources {
		for _, match := range namedFile.FindAllStringSubmatch(page(t, from), -1) {
			if _, err := os.Stat(filepath.Join(root, match[1])); err != nil {
				t.Errorf("%s: there is no file %s", from, match[1])
			}
		}
	}
	_, table, _ := strings.Cut(page(t, "ARCHITECTURE.md"), "\n## The map\n")
	table, _, _ = strings.Cut(table, "\n## ")
	rows := mapped.FindAllStringSubmatch(table, -1)
	if len(rows) < 20 {
		t.Errorf("the map has %d rows; at least 20 are expected", len(rows))
	}
	for _, row := range rows {
		for folder := range strings.SplitSeq(row[1], ", ") {
			folder = strings.Trim(folder, "`")
			if info, err := os.Stat(filepath.Join(root, folder)); err != nil || !info.IsDir() {
				t.Errorf("there is no folder %s", folder)
			}
		}
	}
}
