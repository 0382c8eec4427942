package lexicon

import (
	"slices"
	"strings"
	"sync"

	"ploke-lsp/internal/lazyregexp"
)

// Supported is a question for what a project supports of a kind, such as databases.
type Supported struct {
	Kind     string   // as the question has it
	Stems    []string // of the last word of the kind, and of words for the same
	Versions bool     // of a language or a program, which the kind begins with
	Systems  bool     // of operating systems
}

// worksWith are the verbs of what is supported.
const worksWith = `(?:supports?|works? (?:with|on|in)|runs? (?:on|with|in)|handles?|understands?|accepts?|speaks?` +
	`|offers?` +
	`|is compatible with|be used with|come with|talk to|connect to)`

var supported = []*lazyregexp.Regexp{
	lazyregexp.New(`(?i)^(?:what|which)(?: kinds? of| types? of| sorts? of)? ([\w.+#-]+(?: [\w.+#-]+){0,2}?) (?:does|do` +
		`|can) (?:it|this|that|they|` +
		`we|i|the (?:project|library|tool|program|app|package)|this (?:project|library|tool|program|app|package)) ` +
		worksWith + `$`),
	lazyregexp.New(`(?i)^(?:what|which)(?: kinds? of| types? of| sorts? of)? ([\w.+#-]+(?: [\w.+#-]+){0,2}?) (?:is` +
		`|are)(?: (?:officially|currently|all))? ` +
		`(?:supported|compatible|built[- ]in)(?: by (?:it|this|the \w+))?$`),
	lazyregexp.New(`(?i)^(?:(?:list|show|what are|which are` +
		`|what is)(?: me)? )?(?:all )?(?:the )?(?:list of )?(?:all )?(?:officially )?supported ` +
		`([\w.+#-]+(?: [\w.+#-]+){0,2}?)$`),
	lazyregexp.New(`(?i)^(?:on|with|for|in) (?:what|which) ([\w.+#-]+(?: [\w.+#-]+){0,2}?) (?:does|do|can|will) (?:it` +
		`|this|i) ` +
		`(?:run|work|be used|use (?:it|this))$`),
	lazyregexp.New(`(?i)^(?:what|which) ([\w.+#-]+(?: [\w.+#-]+){0,2}?) can (?:i|we|one|you) (?:use|run` +
		`|connect)(?: (?:it|this))?` +
		`(?: (?:with|on|to|in)(?: (?:it|this))?)?$`),
}

// alsoSupported are other words for kinds of what is supported.
var alsoSupported = sync.OnceValue(func() map[string][]string {
	byStem := map[string][]string{}
	for word, names := range map[string]string{"database": "dialect driver backend engine", "dialect": "database driver",
		"driver": "dialect database", "platform": "system os", "system": "platform os", "os": "platform system",
		"oses": "platform system", "browser": "browser", "format": "format", "language": "language syntax",
		"shell": "shell", "runtime": "runtime platform", "engine": "engine backend", "backend": "backend engine driver"} {
		for _, name := range strings.Fields(names) {
			byStem[Stem(word)] = append(byStem[Stem(word)], Stem(name))
		}
	}
	return byStem
})

// SupportedIn returns what a message asks for. project is the name of the project.
func SupportedIn(message, project string) (asked Supported, ok bool) {
	message = strings.ToLower(Plain(message))
	if project != "" {
		message = strings.ReplaceAll(message+" ", " "+strings.ToLower(project)+" ", " it ")
	}
	for _, form := range supported {
		m := form.FindStringSubmatch(strings.TrimSpace(message))
		if m == nil {
			continue
		}
		words := strings.Fields(m[1])
		last := words[len(words)-1]
		if Common[last] || Weak[last] || Pronouns[last] || notSupported[last] {
			return Supported{}, false
		}
		asked = Supported{Kind: m[1], Stems: []string{Stem(last)}}
		for _, also := range alsoSupported()[Stem(last)] {
			if !slices.Contains(asked.Stems, also) {
				asked.Stems = append(asked.Stems, also)
			}
		}
		asked.Versions = strings.HasPrefix(last, "version") || strings.HasPrefix(last, "release")
		asked.Systems = slices.Contains(asked.Stems, "os")
		return asked, !asked.Versions || len(words) > 1
	}
	return Supported{}, false
}

// notSupported are kinds of which other questions ask.
var notSupported = SetOf("features feature options option arguments argument flags flag dependencies commands " +
	"command " +
	"scripts methods functions classes targets subcommands settings tests test licenses license variables")
