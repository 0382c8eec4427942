package query

import (
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index/traits"
)

// TestAsked checks which texts ask for files of a kind rather than for code.
func TestAsked(t *testing.T) {
	const data, prose = traits.DataTrait, traits.ProseTrait
	for text, want := range map[string]traits.Set{
		"which workflow runs the linters":                          data,
		"where is the port configured":                             data,
		"yaml of the port":                                         data,
		"which version of serde do we use":                         data,
		"what rich version":                                        data,
		"minimum supported rust version":                           data,
		"dependency serde":                                         data,
		"why is serde a dependency":                                0,
		"why do we need serde as a dependency":                     data,
		"what does it depend on":                                   data,
		"config of the port":                                       data,
		"rubocop settings for lines":                               data,
		"the release by GitHub Actions":                            data,
		"base image of it":                                         data,
		"the image that the container has":                         data,
		"where is it set in the package's settings":                data,
		"documentation of ports":                                   prose,
		"ports in the docs":                                        prose,
		"ports in our upgrade guide":                               prose,
		"which page explains ports":                                prose,
		"hi, could you tell me which page explains ports, please?": prose,
		"do you see where ports are described":                     prose,
		"what part of the readme is about ports":                   prose,
		"where are the ports described?":                           prose,
		"where do the docs say which workflow runs":                data | prose,

		"which part of the code runs": 0, // not of a document
		"yaml":                        0, // a name
		"the port":                    0,
		"the configuration and settings of ports":  0,
		"dependency injection of ports":            0,
		"how versions are parsed":                  0,
		"the error in ci/yaml.go":                  0,
		"add a workflow for docker":                0, // a task
		"fix(docs): ports in the docs":             0,
		"docs: ports in the docs":                  0,
		"the port\n\nof docker":                    0,
		"docker " + strings.Repeat("x ", maxAsked): 0, // a log
	} {
		if got := parseQuery(text).traits.asked; got != want {
			t.Errorf("%.60q asks for %04b, want %04b", text, got, want)
		}
	}
}

// TestWordsForKinds checks that words that say for which kind of files a question asks count less than others, and only
// in such a question.
func TestWordsForKinds(t *testing.T) {
	for _, c := range []struct {
		text, word string
		want       float64
	}{
		{"where is the port configured", "configured", kindWordWeight},
		{"where is the port configured", "port", 1},
		{"the workflow of the workflow", "workflow", 2 * kindWordWeight},
		{"docker compose port", "docker", 1}, // such files may have it as their name
		{"configuration of ports in yaml", "configuration", kindWordWeight},
		{"the configuration ports", "configuration", 1},
		{"docker in config/port.go", "config", 1},
	} {
		q := parseQuery(c.text)
		term := wholeTerm(c.word)
		at := slices.IndexFunc(q.terms, func(w queryTerm) bool { return w.term == term })
		n := slices.IndexFunc(q.naming, func(w namingWord) bool { return w.text == c.word })
		if want := min(c.want, c.want*2/(c.want+1)); at < 0 || q.terms[at].weight != want {
			t.Errorf("of %q, %s weighs %v, want %v", c.text, c.word, q.terms, want)
		}
		if want := min(c.want, max(c.want-kindWordWeight, kindWordWeight)); c.want < 1 && q.naming[n].weight != want {
			t.Errorf("of %q, %s weighs %v in names, want %v", c.text, c.word, q.naming[n].weight, want)
		}
	}
}

// TestSettingsFiles checks which files have the settings of a kind, whatever their names say.
func TestSettingsFiles(t *testing.T) {
	for word, paths := range map[string]struct{ of, others string }{
		"package":   {"package.json a/Cargo.toml pyproject.toml go.mod Gemfile a.gemspec pom.xml build.gradle.kts A.csproj", "package.go cargo.md"},
		"ci":        {".github/workflows/a.yml .gitlab-ci.yml appveyor.yml Jenkinsfile", "a/.github/workflows/a.yml ci.go"},
		"container": {"Dockerfile a/app.Dockerfile Dockerfile.release compose.yaml docker-compose.dev.yml", "docker.go"},
		"linter": {".golangci.yml eslint.config.js .eslintrc ruff.toml .rubocop.yml .pre-commit-config.yaml .markdownlint.yml .flake8 lint.toml",
			"complaint.toml linter/a.go splinter.yml"},
		"prettier": {".prettierrc .prettierrc.json prettier.config.js", "a/pretty.json"},
		"eslint":   {".eslintrc.cjs eslint.config.mjs", "lint.json"},
	} {
		q := parseQuery("which " + word + " version in yaml")
		for path := range strings.FieldsSeq(paths.of) {
			if n := q.namingOf(path); !n.own || n.cover != 1 || n.match > 1 {
				t.Errorf("%s has no settings of %s: %+v", path, word, n)
			}
		}
		q = parseQuery("which " + word + " in yaml")
		for path := range strings.FieldsSeq(paths.others) {
			for _, files := range q.settings {
				if files.MatchString(path) {
					t.Errorf("%s has settings of %s", path, word)
				}
			}
		}
	}
	for _, text := range []string{"the package port", "docs about the package"} {
		if q := parseQuery(text); len(q.settings) > 0 {
			t.Errorf("%q asks for settings", text)
		}
	}
}
