package lexicon

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// DefaultNamed returns the name of the setting whose default a message asks for in any of our languages, as
// documentation spells it: an option with its dashes, a variable of the environment, or a text in quotes; "" if the
// message has none, or several.
func DefaultNamed(message string) string {
	if !defaultWord.MatchString(message) {
		return ""
	}
	var names []string
	for _, m := range settingName.FindAllStringSubmatch(message, -1) {
		if name := m[1] + m[2] + m[3]; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) != 1 || changesIt.MatchString(message) {
		return ""
	}
	return names[0]
}

var (
	defaultWord = lazyregexp.New(`(?i)\bdefaults?\b|standardwert|standardmäßig|standardeinstellung|voreinstellung` +
		`|voreingestellt|` +
		`vorgabe|par défaut|por defecto|predeterminad|默认|缺省|預設|デフォルト|既定|初期値`)
	settingName = lazyregexp.New("(?:^|[^\\w-])(--[a-z][\\w-]+)|\\b(_?[A-Z][A-Z0-9]*_[A-Z0-9_]+)\\b" +
		"|[`\"']([a-zA-Z][\\w.-]+)[`\"']")
	changesIt = lazyregexp.New(`(?i)^(?:please )?(?:change|set|replace|rename|add|make|delete|remove|update|create` +
		`|move)\b`)
)

// SettingPattern matches the lines that have a setting's name as it is spelled, or as a manual page spells it.
func SettingPattern(name string) string {
	spelled := strings.NewReplacer("-", `\\?-`, "_", `\\?_`, ".", `\.`).Replace(name)
	return `(?:^|[^\w-])` + spelled + `(?:[^\w-]|$)`
}

// SaysDefault reports whether a line of documentation tells a default.
func SaysDefault(line string) bool { return tellsDefault.MatchString(line) }

var tellsDefault = lazyregexp.New(`(?i)\bdefaults?\b|\bif (?:unset|not set|empty)\b`)

// GivesInstead reports whether a line of code that names a setting has a value for where it is unset.
func GivesInstead(line, name string) bool {
	_, behind, found := strings.Cut(line, name)
	return found && instead.MatchString(behind)
}

var instead = lazyregexp.New(`(?i)\|\||\?\?|\bor\b|(?:unwrap|map)_or|or_?else|getOrDefault|default|^["'],\s*["'\w]|:-`)

// KeptThing returns the words for something that is kept somewhere, whose place a message asks for, such as "config
// file".
func KeptThing(message string) []string {
	m := placeOf.FindStringSubmatch(strings.TrimRight(strings.ToLower(Plain(message)), "?! ."))
	if m == nil {
		return nil
	}
	thing := m[1] + m[2]
	if m[1] == "" && !kept.MatchString(thing) || strings.Contains(thing, " of ") {
		return nil
	}
	words := slices.DeleteFunc(strings.Fields(thing), func(w string) bool { return Common[w] || Weak[w] })
	if len(words) == 0 || len(words) > 3 || slices.ContainsFunc(words,
		func(w string) bool { return !lowerWord.MatchString(w) }) {
		return nil
	}
	if len(words) == 1 && !strings.Contains(message, words[0]) {
		return nil // a name, which is written with capitals
	}
	return words
}

const storing = `stored|saved|kept|located|written|persisted|placed`

var (
	placeOf = lazyregexp.New(`^(?:where|in (?:which|what) (?:folder|directory|file|place)) (?:is|are|does|do|can i` +
		` find|will)` +
		`(?: the| its| my| our| all)* (?:(.+?)(?: be| get| gets)? (?:` + storing + `|live|reside)(?: by default)?|(.+))$`)
	kept = lazyregexp.New(`\b(?:config(?:uration)?|settings?|cache|database|data|history|logs?|log|session` +
		`|state|credentials?|plugins?)(?: (?:file|files|folder|directory|dir))?$`)
	lowerWord = lazyregexp.New(`^[a-z][a-z-]+$`)
)

// TellsPlace returns how surely a paragraph tells where something is that some words mean, 0 for not.
func TellsPlace(paragraph string, words []string) (rank int) {
	for _, w := range words {
		if w != "file" && w != "folder" && w != "directory" && !HasPart(paragraph, Stem(w)) {
			return 0
		}
	}
	if pathLike.MatchString(paragraph) {
		rank += 2
	}
	if tellsPlace.MatchString(paragraph) {
		rank += 3
	}
	if rank < 3 {
		return 0
	}
	return rank
}

var (
	pathLike   = lazyregexp.New(`~/|\$[A-Z_]{3,}|%\w*APPDATA%|\$XDG|/etc/|/var/|C:\\|\.config/`)
	tellsPlace = lazyregexp.New(`(?i)\b(?:` + storing + `|lives?|resides?|default (?:location|path|directory` +
		`|folder)|` +
		`location|can be found|looks? (?:for|in)|found (?:in|at))\b`)
)
