package query

import (
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/index/traits"
	"ploke-lsp/internal/lazyregexp"
)

// requestedTraits are the kinds of files that a query asks for.
type requestedTraits struct {
	named  traits.Set // words mean nothing else: yaml, readme
	hinted traits.Set // words may mean code as well: config, version
	asked  traits.Set // a question is about files of the kind, and not about code
}

// requestWords are words that are about kinds of files.
type requestWords struct {
	trait  traits.Set
	begins []string        // of lower-case words that request the trait
	named  map[string]bool // words that mean nothing else, and that may be the names of such files
	kind   map[string]bool // words that mean nothing else
	hinted map[string]bool // words that may mean code as well
}

var allRequestWords = []requestWords{
	{trait: traits.TestTrait, begins: []string{"test"}},
	{trait: traits.SecondaryTrait, begins: []string{"example", "sample", "demo", "bench", "vendor", "generated"}},
	{
		trait: traits.DataTrait,
		named: wordSet(`docker dockerfile compose helm kubernetes eslint prettier makefile cmake editorconfig gitignore`),
		kind:  wordSet(`yaml yml toml ini workflow workflows lint linter linters linting manifest ci configured`),
		hinted: wordSet(`config configs configuration configure setting settings set schema image images
			depend dependency dependencies version versions migration migrations package container pipeline build`),
	},
	{
		trait:  traits.ProseTrait,
		named:  wordSet(`readme changelog`),
		kind:   wordSet(`docs`),
		hinted: wordSet(`doc documentation document documented documents guide tutorial manual`),
	},
}

func wordSet(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

// add adds the traits that a lower-case word of a query requests. A word of a path names a file, and no kind of data.
func (r *requestedTraits) add(word string, inPath bool) {
	for _, about := range allRequestWords {
		begins := slices.ContainsFunc(about.begins, func(beginning string) bool { return strings.HasPrefix(word, beginning) })
		if begins || !inPath && (about.named[word] || about.kind[word]) {
			r.named |= about.trait
		}
		if !inPath && about.hinted[word] {
			r.hinted |= about.trait
		}
	}
}

const (
	documents = `(?:docs?|documentation|readme|changelog|manual|guide|tutorial)`
	pages     = `(?:page|section|chapter|part of the ` + documents + `)`
)

var (
	// askedDocument matches a question that documents answer.
	askedDocument = lazyregexp.New(`(?i)^\W*(?:the |our |any )?` + documents + ` (?:of|about|for|on|that|which|to)\b|` +
		`\b(?:in|of|from) (?:the |our |its )?(?:\w+ )?` + documents + `\b|` +
		`^\W*(?:which|what|where|how)\b.*\b(?:` + pages + `|` + documents + `|documented|explained|described)\b`)
	// askedSettings matches a question that settings answer, though its words may mean code as well.
	askedSettings = lazyregexp.New(`(?i)^\W*dependency \S+\W*$|\bas an? (?:\w+ )?dependency\b|\bdepends? on\W*$|` +
		`^\W*(?:which|what) (?:\S+ )?(?:versions?|dependency|dependencies)\b|` +
		`\b(?:minimum|minimal|required|supported|pinned)\b.* versions?\b|\bgithub actions?\b|` +
		`^\W*(?:\w+ )?(?:config|configuration|settings?) (?:of|for)\b|` +
		`\bpackage(?:'s)? .*(?:config|configuration|settings?)\W*$|\b(?:base|container) image\b|\bimage\b.* container\b`)
	// conventional matches how subjects of changes begin, as in "docs(api): say it".
	conventional = lazyregexp.New(`^\w+(?:\([^)]*\))?!?: `)
	// askingKinds are the words besides those that request kinds that such questions may have.
	askingKinds = wordSet(`page section chapter part explained described actions action depends`)
)

// changes reports whether a line says what is to be changed. It is no question.
func changes(line string) bool {
	return taskTerms[wholeTerm(firstWord(line))] || conventional.MatchString(line)
}

// maxAsked bounds the bytes of a question about files of a kind. Longer ones are of logs.
const maxAsked = 200

// ask finds out whether a question, the first line, asks for files of a kind rather than for code. Then the words that
// say for which count less than the others: reduce is called with their terms.
func (q *parsedQuery) ask(line string, reduce func(term string)) {
	asked := q.askedKinds(line)
	if asked == 0 {
		return
	}
	q.traits.asked = asked
	q.traits.named |= asked
	if asked&traits.DataTrait != 0 {
		q.addSettingsFiles()
	}
	var reduced []string
	for _, w := range q.line {
		word := strings.ToLower(w.text)
		if saysKind(word) && !slices.Contains(reduced, w.whole) && !q.inPath(word) {
			reduced = append(reduced, w.whole)
			reduce(w.whole)
		}
	}
	for i, w := range q.naming {
		if saysKind(w.text) {
			q.naming[i].weight = kindWordWeight
		}
	}
}

// askedKinds returns the kinds of files that a question asks for. A single word is a name.
func (q *parsedQuery) askedKinds(line string) (asked traits.Set) {
	about := (q.traits.named|q.traits.hinted)&(traits.DataTrait|traits.ProseTrait) != 0 ||
		slices.ContainsFunc(q.line, func(w lineWord) bool { return askingKinds[strings.ToLower(w.text)] })
	if !about || !strings.Contains(strings.TrimSpace(line), " ") || len(line) > maxAsked || changes(line) {
		return 0
	}
	asked = q.traits.named & traits.DataTrait
	if askedSettings.MatchString(line) {
		asked |= traits.DataTrait
	}
	if askedDocument.MatchString(line) {
		asked |= traits.ProseTrait
	}
	return asked
}

// saysKind reports whether a lower-case word says which kind of files is meant, and not which of them.
func saysKind(word string) bool {
	return slices.ContainsFunc(allRequestWords, func(about requestWords) bool {
		return about.kind[word] || about.hinted[word]
	})
}

// addSettingsFiles adds the files that have the settings of the kinds that the query asks for.
func (q *parsedQuery) addSettingsFiles() {
	for _, s := range settingsFiles {
		if !slices.ContainsFunc(q.naming, func(w namingWord) bool { return s.about[w.text] }) {
			continue
		}
		q.settings = append(q.settings, s.paths)
		for _, name := range s.names {
			q.addTerms(name, settingsNameWeight)
		}
	}
}

// settingsFiles are the files that by convention have the settings of a kind. Their names need not say which.
var settingsFiles = []struct {
	about map[string]bool // words of a query, in lower case
	names []string        // of such files and folders, by which they are found if nothing in them has words of the query
	paths *lazyregexp.Regexp
}{
	{
		about: wordSet(`package dependency dependencies depend version versions`),
		names: strings.Fields(`package cargo pyproject gemfile gemspec pom gradle csproj mod`),
		paths: lazyregexp.New(`(?i)(?:^|/)(?:package\.json|cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.txt|` +
			`pipfile|go\.mod|gemfile|[^/]+\.gemspec|composer\.json|pom\.xml|build\.gradle(?:\.kts)?|[^/]+\.versions\.toml|` +
			`[^/]+\.(?:cs|fs|vb)proj|directory\.\w+\.props|mix\.exs|package\.swift|pubspec\.yaml|vcpkg\.json|conanfile\.\w+)$`),
	}, {
		about: wordSet(`ci workflow workflows pipeline actions`),
		names: strings.Fields(`workflows circleci gitlab`),
		paths: lazyregexp.New(`(?i)^\.(?:github/workflows|circleci|buildkite)/|(?:^|/)jenkinsfile$|` +
			`(?:^|/)\.?(?:gitlab-ci|travis|appveyor|azure-pipelines|bitbucket-pipelines|drone|cirrus)\.ya?ml$`),
	}, {
		about: wordSet(`docker container image images`),
		names: strings.Fields(`dockerfile compose`),
		paths: lazyregexp.New(`(?i)(?:^|/)(?:[^/]*dockerfile[^/]*|containerfile|(?:docker-)?compose[^/]*\.ya?ml)$`),
	}, {
		about: wordSet(`lint linter linters linting`),
		names: strings.Fields(`golangci eslint eslintrc rubocop ruff clippy rustfmt`),
		paths: lazyregexp.New(`(?i)(?:^|[/.-])(?:(?:es|ts|style|py|yaml|html|markdown|swift|kt)?lint|golangci|ruff|rustfmt|clippy|` +
			`rubocop|pre-commit|flake8|biome|phpcs|phpstan|checkstyle|detekt)[^/a-z][^/]*$|(?:^|/)\.(?:\w+lintrc|flake8)$`),
	}, {
		about: wordSet(`prettier`),
		names: []string{"prettierrc"},
		paths: lazyregexp.New(`(?i)(?:^|/)\.?prettier[^/]*$`),
	}, {
		about: wordSet(`eslint`),
		names: []string{"eslintrc"},
		paths: lazyregexp.New(`(?i)(?:^|/)\.?eslint[^/]*$`),
	},
}

// firstWord returns the first word of a line in lower case, without what follows an apostrophe.
func firstWord(line string) string {
	line = strings.TrimSpace(line)
	if end := strings.IndexFunc(line, func(r rune) bool { return !unicode.IsLetter(r) }); end >= 0 {
		line = line[:end]
	}
	return strings.ToLower(line)
}
