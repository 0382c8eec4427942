package llm

import (
	"regexp"
	"strings"
	"sync"
)

// instruction is a user's message as far as the embedded model understands it.
type instruction interface {
	// next says what to do after what has been done.
	next(p progress) step
}

// form is one way to write an instruction. make may find that it is none.
type form struct {
	pattern func() *regexp.Regexp
	make    func(m []string) (instruction, bool)
}

// forms are all instructions that are understood exactly. In a pattern NAME,
// PATH, FILE, QUOTED and TEXT stand for one captured word each; a blank for any
// white space. What fits none of them is a question, or work for a language
// model.
var forms = []form{
	newForm(`rename (?:the )?(?:KIND )?NAME to NAME`, func(m []string) (instruction, bool) {
		from, to := canonOf(m[0]), bare(m[1])
		return rename{from, to}, !strings.ContainsAny(to, ":.")
	}),
	newForm(`replace QUOTED (?:with|by) QUOTED in (?:the )?(?:file )?FILE`, func(m []string) (instruction, bool) {
		old, text := bare(m[0]), bare(m[1])
		return replace{old: old, text: text, file: bare(m[2])}, old != ""
	}),
	newForm(`create (?:an? |the )?(?:new )?(?:file )?(?:named |called )?FILE (?:with|containing)(?: the)?(?: following)?(?: text| contents?| code)?:? QUOTED`,
		func(m []string) (instruction, bool) { return create{bare(m[0]), withNewline(bare(m[1]))}, true }),
	newForm(`create (?:an? |the )?(?:new )?(?:file )?(?:named |called )?FILE (?:with|containing)(?: the)?(?: following)?(?: text| contents?| code)?: ?TEXT`,
		func(m []string) (instruction, bool) { return create{bare(m[0]), withNewline(m[1])}, true }),
	newForm(`explain (?:the )?(?:KIND )?NAME(?: in (?:the )?(?:file )?PATH)?`, func(m []string) (instruction, bool) {
		return explain{canonOf(m[0]), bare(m[1])}, !pronouns[strings.ToLower(m[0])]
	}),
}

var pronouns = map[string]bool{"this": true, "that": true, "it": true, "these": true, "those": true, "selection": true, "everything": true}

const (
	quoted     = "```[^`\\n]*\\n(?s:.*?)```" + `|"[^"]+"|'[^']+'|` + "`[^`]+`"
	orEmpty    = `|""|''`
	identifier = `[\pL_$][\pL\pN_$]*`
	canonical  = identifier + `(?:(?:::|\.)` + identifier + `)*(?:#\d+)?(?:\(\))?`
	name       = "`" + canonical + "`" + `|"` + canonical + `"|'` + canonical + `'|` + canonical
	kind       = `(?:function|func|method|type|struct|class|interface|trait|enum|variable|var|constant|const|field|property|macro|module|symbol)`
	file       = "`[^`]+`" + `|"[^"]+"|'[^']+'|[^\s"'` + "`" + `]*[\pL\pN_]`
	path       = "`[^`]+`" + `|"[^"]+"|'[^']+'|[^\s"'` + "`" + `]*[./\\][^\s"'` + "`" + `]*[\pL\pN_]`
)

func newForm(pattern string, make func([]string) (instruction, bool)) form {
	pattern = strings.ReplaceAll(pattern, " ", `\s+`)
	pattern = strings.ReplaceAll(pattern, `\s+?`, `\s*`)
	pattern = strings.NewReplacer("KIND", kind, "NAME", "("+name+")", "PATH", "("+path+")", "FILE", "("+file+")",
		"QUOTED", "("+quoted+orEmpty+")", "TEXT", `((?s:.+))`).Replace(pattern)
	return form{compiled(`(?i)^(?:please,?\s+)?` + pattern + `\s*[.!]?$`), make}
}

// compiled compiles a pattern when it is needed first: these take milliseconds, which
// the start of the program has better use for.
func compiled(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

// parseInstruction says what a message asks for.
func parseInstruction(message string) instruction {
	for _, f := range forms {
		if m := f.pattern().FindStringSubmatch(message); m != nil {
			if i, ok := f.make(m[1:]); ok {
				return i
			}
		}
	}
	if m := work().FindStringSubmatch(message); m != nil && (m[1] != "" || !strings.HasSuffix(message, "?")) {
		return refusal{strings.ToLower(m[2])}
	}
	return question{}
}

// work finds what asks for changes, or for words about code, that only a
// language model can write.
var work = compiled(`(?is)^(?:please,?\s+)?((?:can|could|would|will)\s+you\s+(?:please\s+)?|I\s+(?:want|need)\s+you\s+to\s+)?` +
	`(add|build|change|clean|comment|convert|create|delete|document|edit|extract|fix|format|generate|implement|improve|inline|insert|` +
	`make|migrate|modify|move|optimi[sz]e|port|refactor|remove|rename|reorgani[sz]e|replace|rewrite|simplify|split|test|translate|update|upgrade|write)\b`)

// bare takes the quotes off a word, or the fences and the language off a block.
func bare(s string) string {
	if body, ok := strings.CutPrefix(s, "```"); ok {
		_, body, _ = strings.Cut(strings.TrimSuffix(body, "```"), "\n")
		return strings.TrimSuffix(body, "\n")
	}
	if len(s) >= 2 && strings.ContainsRune("\"'`", rune(s[0])) {
		s = s[1 : len(s)-1]
	}
	return s
}

// canonOf is the address that a name stands for: `Server.Run()` is Server::Run.
func canonOf(s string) string {
	return strings.ReplaceAll(strings.TrimSuffix(bare(s), "()"), ".", "::")
}

func withNewline(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
