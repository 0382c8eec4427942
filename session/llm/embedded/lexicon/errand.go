package lexicon

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"ploke-lsp/internal/lazyregexp"
)

// Errand is a task around a program that a question names by a verb and a thing, such as to start the databases. Names
// of scripts and sentences say it by the same words, or by others that mean the same.
type Errand struct {
	Said   string     // the verb and the thing, as the question has them
	Starts bool       // what runs beside the program is started or stopped
	Stops  bool       // stopped
	does   string     // pattern of the verb
	Things [][]string // for each thing, its stem and what it is called else
	Named  []string   // stems of what the question names besides, such as a kind of tests
}

// verbs are the verbs of errands, and the patterns of words by which names and sentences say the same.
var verbs = []struct{ asked, said string }{
	{"start|bring up|spin up|fire up|stand up|launch|boot|bring|spin", `start\w*|up|run|launch\w*|boot\w*|serve|spin\w*|bring\w*`},
	{"stop|shut down|tear down|take down|bring down|kill", `stop\w*|down|kill|shut\w*|tear\w*|teardown|rm`},
	{"seed|populate|fill|load", `seed\w*|populat\w*|fill\w*|load\w*|fixtures?`},
	{"reset|clean up|clean|clear|wipe|drop|empty|purge|flush", `reset\w*|clean\w*|clear\w*|wipe\w*|drop\w*|purge\w*|flush\w*`},
	{"migrate", `migrat\w*`},
	{"regenerate|generate|rebuild|recreate", `re-?gen\w*|gen|generat\w*|codegen|build\w*|creat\w*|updat\w*`},
	{"update|refresh|upgrade|sync|bump", `updat\w*|refresh\w*|upgrad\w*|sync\w*|bump\w*`},
	{"build|compile|bundle|package", `build\w*|compil\w*|bundl\w*|packag\w*|dist`},
	{"create|make|initialise|initialize|prepare|set up|setup", `creat\w*|mak\w*|init\w*|prepar\w*|setup|set\w* up|up|start\w*`},
	{"deploy|publish|upload|push", `deploy\w*|publish\w*|upload\w*|push\w*`},
	{"check|verify|validate", `check\w*|verif\w*|validat\w*|lint\w*`},
	{"preview|serve|view|watch", `preview\w*|serv\w*|watch\w*|view\w*|dev|start`},
	{"enable|install|add|activate", `install\w*|enabl\w*|activat\w*`},
	{"record|measure|profile|collect|get", `record\w*|measur\w*|profil\w*|collect\w*|coverage|cov`},
}

// alsoThings are what things of errands are called else, by the stems of their words.
var alsoThings = sync.OnceValue(func() map[string][]string {
	byStem := map[string][]string{}
	for word, names := range map[string]string{
		"database": "db dbs postgres mysql mariadb mongo redis mssql sqlite cockroach", "db": "database postgres mysql redis",
		"server": "server service", "service": "service docker compose", "container": "docker compose container",
		"docker": "docker container compose image", "docs": "docs documentation website site",
		"documentation": "docs doc site", "website": "site docs web www", "site": "website docs", "page": "pages site",
		"image": "docker img", "translation": "i18n l10n locale lang messages po", "schema": "graphql",
		"proto": "protobuf pb", "protobuf": "proto pb", "hook": "husky lefthook pre-commit", "coverage": "cov codecov",
		"fixture": "testdata", "parser": "grammar parser", "grammar": "parser", "binary": "bin"} {
		byStem[Stem(word)] = strings.Fields(names)
	}
	return byStem
})

var errand = lazyregexp.New(`(?i)^(?:how (?:to|do i|do we|do you|do they|can i|can we|can you|should i|would i` +
	`|does one|` +
	`are|is) |what (?:is the )?(?:command|script|way|target|task|starts?)(?: is there| do i (?:need|use|run))? (?:to` +
	`|for) |` +
	`(?:commands?|scripts?|steps|instructions) (?:to|for) )(?:i )?(?:(?:properly|quickly|locally|automatically|re-?) )?(` +
	errandVerbs() + `)((?: [\w'./-]+)+?)(?: (?:up|down))?$`)

func errandVerbs() string {
	var all []string
	for _, v := range verbs {
		all = append(all, v.asked)
	}
	return strings.Join(all, "|")
}

// purpose matches the words at the end that say what an errand is good for.
var purpose = lazyregexp.New(`(?i) (?:for|before|when|while|in order to|so that|to run|to test|with|using|on|from` +
	`|via|after|` +
	`without|in the|in my)\b.*$`)

var anyOne = lazyregexp.New(`(?i)^ (?:an?|some|my own|another|multiple|several) `)

// aroundErrands are the words next to a thing that say nothing about which one is meant.
var aroundErrands = SetOf("test tests testing integration unit local locally dev development required needed " +
	"necessary " +
	"own e2e end project whole initial new")

// ErrandIn returns the errand that a message asks for by its words.
func ErrandIn(message string) (e Errand, ok bool) {
	m := errand.FindStringSubmatch(Plain(message))
	if m == nil || LooksLikeCode(strings.TrimSpace(m[2])) {
		return Errand{}, false
	}
	thing := purpose.ReplaceAllString(m[2], "")
	if strings.HasSuffix(thing, " up") || strings.HasSuffix(thing, " down") {
		m[1] = "bring" + thing[strings.LastIndex(thing, " "):]
		thing = thing[:strings.LastIndex(thing, " ")]
	}
	for _, v := range verbs {
		if slices.Contains(strings.Split(v.asked, "|"), strings.ToLower(m[1])) {
			e.does = v.said
		}
	}
	e.Stops = strings.HasPrefix(e.does, "stop")
	e.Starts = e.Stops || strings.HasPrefix(e.does, "start")
	for _, w := range strings.Fields(strings.ToLower(thing)) {
		switch {
		case aroundErrands[w]:
			e.Named = append(e.Named, Stem(w))
		case !Common[w] && !Weak[w] && !Pronouns[w] && !Fillers[w]:
			e.Things = append(e.Things, append([]string{Stem(w)}, alsoThings()[Stem(w)]...))
		}
	}
	e.Said = strings.ToLower(m[1]) + thing
	known := slices.ContainsFunc(e.Things, func(names []string) bool { return len(names) > 1 })
	if anyOne.MatchString(thing) && !known {
		return Errand{}, false // what a program makes any number of is of its code
	}
	return e, len(e.Things) > 0 && len(e.Things) <= 3
}

// word returns a pattern of words that begin a part of a name.
func word(of string) string { return `(?:^|[^A-Za-z])(?:` + of + `)(?:$|[^a-z])` }

// Does reports whether a text has the verb.
func (e Errand) Does(text string) bool {
	return regexp.MustCompile(`(?i)` + word(e.does)).MatchString(text)
}

// Has returns how many of the things a text names.
func (e Errand) Has(text string) (n int) {
	text = camelPart.ReplaceAllString(text, "$1-$2")
	for _, names := range e.Things {
		n += toInt(slices.ContainsFunc(names, func(name string) bool {
			return regexp.MustCompile(`(?i)(?:^|[^A-Za-z])` + regexp.QuoteMeta(name)).MatchString(text)
		}))
	}
	return n
}

var camelPart = lazyregexp.New(`([a-z0-9])([A-Z])`)

// Pattern matches the lines with a thing or with the verb and what it is said of.
func (e Errand) Pattern() string {
	var names []string
	for _, thing := range e.Things {
		for _, name := range thing {
			names = append(names, regexp.QuoteMeta(name))
		}
	}
	return `(?i)(?:^|[^a-z])(?:` + strings.Join(names, "|") + `)`
}

// AsksHowTo reports whether a message asks how something is done.
func AsksHowTo(message string) bool { return howTo.MatchString(Plain(message)) }

var howTo = lazyregexp.New(`(?i)^how (?:to|do|can|should|would|does one|must) `)
