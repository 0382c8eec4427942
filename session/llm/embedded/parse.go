package embedded

import (
	"regexp"
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/conventions"
	"ploke-lsp/session/llm/embedded/inquiries"
	"ploke-lsp/session/llm/embedded/lexicon"
	"ploke-lsp/session/llm/embedded/messages"
	"ploke-lsp/session/llm/embedded/results"
)

// instruction is a parsed user's message.
type instruction interface {
	// next returns the next step after the given progress.
	next(p progress) step
}

func newForm(pattern string, make func([]string) (instruction, bool)) form {
	return form{lazyregexp.Of(func() string {
		spaced := strings.ReplaceAll(strings.ReplaceAll(pattern, " ", `\s+`), `\s+?`, `\s*`)
		return `(?i)^(?:please,?\s+)?` + ofForms.Replace(spaced) + `(?:,?\s+(?:please|thanks|now|for me))?\s*[.!]?$`
	}), make}
}

// ofForms replaces the words in capitals of a form's pattern.
var ofForms = strings.NewReplacer("KIND", lexicon.KindPattern, "NAME", "("+lexicon.NamePattern+")",
	"PATH", "("+lexicon.PathPattern+")", "FILE", "("+lexicon.FilePattern+")",
	"TERM", "("+lexicon.QuotedPattern+lexicon.OrEmptyPattern+"|"+lexicon.TermPattern+")",
	"QUOTED", "("+lexicon.QuotedPattern+lexicon.OrEmptyPattern+")", "TEXT", `((?s:.+))`)

// instruction returns the instruction in the message. In a question, such as who calls
// this, the word for the attached code stands for its first line.
func (p progress) instruction() instruction {
	if i := pointedOf(p); i != nil {
		return i
	}
	i := p.understood()
	switch i.(type) {
	case rename, renameFile, replace, askWhere, askWhich, remove, move, document, create, setValue:
		return i
	}
	if len(conventions.DiffsIn(p.message)) > 0 {
		return changes{}
	}
	if _, refused := i.(refusal); refused {
		return i
	}
	if m := whatIs.FindStringSubmatch(lexicon.Plain(p.message)); m != nil && p.IsProject(lexicon.Bare(m[1])) {
		return overview{}
	}
	if p.folder != "" && p.asksWhatIsHere() {
		return folder{p.folder}
	}
	if p.attached.line == 0 || p.folder != "" {
		return i
	}
	if at := messages.Pointing.FindStringIndex(p.message); at != nil {
		asked := lexicon.Plain(p.message[:at[0]] + results.Code(p.attached.String()) + p.message[at[1]:])
		if about, ok := parseAsk(asked); ok {
			return about
		}
	}
	if i == (talk{"which one"}) {
		return show{p.attached}
	}
	return i
}

// understood returns what a message asks about a place or a time, or in several parts, else what it says.
func (p progress) understood() instruction {
	if of := inquiries.Of(p.message); of != nil && p.attached.file == "" {
		return inquiry{of, understoodOtherwise(p), nil}
	}
	i := understoodOtherwise(p)
	if kind, ok := lexicon.KindOf(p.message); ok {
		switch i := i.(type) {
		case question, exitCode, outcome, amount:
			return inquiry{inquiries.Kinds{KindAsked: kind}, i, nil}
		case inquiry:
			return inquiry{inquiries.Kinds{KindAsked: kind}, i, i}
		}
	}
	return i
}

// understoodOtherwise returns what a message asks by its other forms and words.
func understoodOtherwise(p progress) instruction {
	if asked, ok := lexicon.VersionIn(p.message, p.Name()); ok {
		return inquiry{inquiries.Changed{VersionAsked: asked}, withoutChangelog(p), nil}
	}
	if asked, ok := lexicon.SupportedIn(p.message, p.Name()); ok {
		if asked.Versions {
			return inquiry{inquiries.Supports{Supported: asked}, fact{"language version"}, fact{"language version"}}
		}
		return inquiry{inquiries.Supports{Supported: asked}, question{}, nil}
	}
	if x := p.restricted(); x != nil {
		return x
	}
	if x := p.severalOf(); x != nil {
		return x
	}
	return p.understoodAlone()
}

// withoutChangelog returns what a question for the changes of a version asks if no changelog has versions.
func withoutChangelog(p progress) instruction {
	if x := p.restricted(); x != nil {
		return x
	}
	return noted{"I found no changelog with headings of versions.\n\n", past{about: "releases"}}
}

// understoodAlone returns what a message says by its form; else, with its slips of the fingers mended, by its form or
// its concept; else that it is unclear.
func (p progress) understoodAlone() instruction {
	if about := outcomeOf(p.message); about != nil && lexicon.AsksWhatHappens(p.message) {
		return about
	}
	if lexicon.AsksMechanism(p.message) {
		return p.questionOf()
	}
	i := parseInstruction(p.message)
	if change := setValueOf(i, p.message); change != nil {
		return change
	}
	if depends := dependsOnOf(p, i); depends != nil {
		return depends
	}
	if !unclear(i, p.message) {
		return i
	}
	_, instructs := i.(refusal)
	if x, ok := lexicon.AmountOf(p.message); ok && x.AsksOfOwner && !instructs {
		return amount{x}
	}
	if asked, ok := conceptOf(p.message, p.Name(), !instructs); ok {
		return asked
	}
	if named := p.withoutItsName(); named != p.message {
		if again := parseInstruction(named); !unclear(again, named) {
			return again
		}
		if asked, ok := conceptOf(named, p.Name(), !instructs); ok {
			return asked
		}
	}
	if respelled := lexicon.Respell(p.message, vocabulary()); respelled != p.message {
		if again := parseInstruction(respelled); !unclear(again, respelled) {
			return again
		}
		if asked, ok := conceptOf(respelled, p.Name(), !instructs); ok {
			return asked
		}
	}
	if _, searches := i.(question); searches {
		return p.questionOf()
	}
	return i
}

// dependsOnOf returns what asks for the dependencies of the project or of one of its packages; nil if a message does
// not, which is an instruction by its form.
func dependsOnOf(p progress, form instruction) instruction {
	m := dependsOnWhat.FindStringSubmatch(lexicon.Plain(p.message))
	if _, lists := form.(dependencies); lists || m == nil {
		return nil
	}
	name := firstOf(m[1:])
	if strings.EqualFold(name, "it") && p.attached.line == 0 && p.folder == "" {
		return dependencies{}
	}
	if p.IsProject(name) || packageName.MatchString(name) && !lexicon.Pronouns[name] && !lexicon.Common[name] {
		return dependsOn{name, form}
	}
	return nil
}

// questionOf returns what a question without a form asks for by its words: an amount, what happens in some case, or
// whatever the search finds.
func (p progress) questionOf() instruction {
	if errand, ok := lexicon.ErrandIn(p.message); ok {
		return inquiry{inquiries.Errand{Errand: errand}, headed{question{}}, nil}
	}
	for _, of := range []func(string) instruction{outcomeOf, amountOf} {
		if i := of(p.message); i != nil {
			return i
		}
	}
	return question{}
}

// withoutItsName returns the message with "this project" for the name of the project, where that is a plain word.
func (p progress) withoutItsName() string {
	name := p.Name()
	if name == "" {
		return p.message
	}
	return regexp.MustCompile(`(^|\s)`+regexp.QuoteMeta(strings.ToLower(name))+`($|[\s?.!,])`).
		ReplaceAllString(p.message, "${1}this project$2")
}

// unclear reports whether a message has no form, or one that a question may have, too: of work, or of a single word.
func unclear(i instruction, message string) bool {
	_, searches := i.(question)
	_, refused := i.(refusal)
	name, explains := i.(explain)
	return searches || refused || explains && name.name == lexicon.Plain(message) && !lexicon.LooksLikeCode(name.name)
}

// whatIs matches a question about a name that may be that of the project.
var whatIs = lazyregexp.New(`(?i)^(?:what is|what does|explain|describe|about) (\S+?)(?: do| for| about| (?:good|used` +
	`|useful) for)?$`)

// asksWhatIsHere reports whether a message with an attached folder asks for what the folder has.
func (p progress) asksWhatIsHere() bool {
	words := slices.DeleteFunc(strings.Fields(lexicon.Plain(p.message)), func(word string) bool {
		name := strings.Trim(word, "@/?.,`\"")
		return name != "" && strings.HasSuffix("/"+p.folder, "/"+name)
	})
	return len(words) == 0 || whatIsHere.MatchString(strings.Join(words, " "))
}

var whatIsHere = lazyregexp.New(`(?i)^(?:what|list|show|explain|describe|summari[sz]e|outline|overview|tell|` +
	`ls|here)\b(?: (?:me|the|all|is|are|does|do|files?|there|in|inside|of|contents?|contain|contains|have|` +
	`here|this|that|it|folder|directory|package|module|for|about|what))*$`)

// parseInstruction returns the instruction in a message.
func parseInstruction(message string) instruction {
	unwrapped := lexicon.Unwrapped(message)
	for _, m := range []string{message, unwrapped, lexicon.Paraphrased(unwrapped)} {
		if i, ok := parseForm(m); ok {
			return i
		}
	}
	asked := lexicon.Plain(message)
	for _, m := range []string{lexicon.Strip(message, lexicon.SentenceEnd), asked} {
		if i, ok := parseNewcomer(m); ok {
			return i
		}
	}
	for _, said := range []string{message, unwrapped, lastClause(message)} {
		if m := work.FindStringSubmatch(said); m != nil && strings.Contains(said, " ") && (m[1] != "" ||
			!strings.HasSuffix(said, "?")) {
			return refusal{strings.ToLower(m[2])}
		}
	}
	for _, m := range []string{lexicon.Strip(message, lexicon.SentenceEnd), asked} {
		if i, ok := parseTalk(m); ok {
			return i
		}
	}
	if lexicon.OtherLanguage(message) {
		return inOtherLanguage{}
	}
	if i, ok := parseAsk(asked); ok {
		return i
	}
	for _, s := range sentences.FindAllString(message, maxSentences) {
		if i, ok := parseNewcomer(lexicon.Plain(s)); ok {
			return i
		}
	}
	return question{}
}

// lastClause returns the last part of a message if it instructs about what was said before it, such as "fix it".
func lastClause(message string) string {
	if m := onThat.FindStringSubmatch(message); m != nil {
		return m[1]
	}
	return ""
}

var onThat = lazyregexp.New(`(?i)[,.;:!] (?:so |please |and |can you |could you |now )*(\pL+ (?:it|this|that` +
	`|them)(?: .{0,20})?)` +
	`[.!?]*$`)

// parseForm returns the instruction whose form a message has, if any.
func parseForm(message string) (instruction, bool) {
	for _, f := range forms {
		if m := f.pattern.FindStringSubmatch(message); m != nil {
			if i, ok := f.make(m[1:]); ok {
				return i, true
			}
		}
	}
	return nil, false
}

// sentences matches a sentence of a message of several.
var sentences = lazyregexp.New(`[^?.!;]+[?.!;](?:\s|$)|[^?.!;]+$`)

const maxSentences = 5

// work matches requests for changes or for text about code that only a language model
// can write.
var work = lazyregexp.New(`(?is)^(?:please,?\s+)?((?:can|could|would|will)\s+you\s+(?:please\s+)?|I\s+(?:want` +
	`|need)\s+you\s+to\s+)?` +
	`(add|audit|build|change|clean|comment|convert|correct|create|debug|delete|document|edit|extract|fix|format|generate` +
	`|implement|improve|inline|insert|install|` +
	`find (?:the |an? |any |all |some )*(?:bugs?|errors?|mistakes?|problems?|issues?|vulnerabilit(?:y|ies))|make|migrate` +
	`|exchange|modify|move|optimi[sz]e|port|refactor|remove|rename|reorgani[sz]e|replace|review|rewrite|simplify` +
	`|split|swap|test` +
	`|translate|update|upgrade|write)\b`)

func withNewline(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
