package lexicon

import "ploke-lsp/internal/lazyregexp"

// paraphrase is another way to give an instruction, and the words of a form that mean the same.
type paraphrase struct {
	pattern *lazyregexp.Regexp
	form    string
}

var paraphrases = []paraphrase{
	{lazyregexp.New(`(?is)^(?:(?:i|we)(?:'d| would)? (?:want|like|need) )?(.+?) (?:to|should|must|shall|ought to) be ` +
		`(?:called|named|renamed(?: to)?) (\S+)$`), "rename $1 to $2"},
	{lazyregexp.New(`(?is)^(?:change|set) the name of (.+?) (?:in)?to (\S+)$`), "rename $1 to $2"},
	{lazyregexp.New(`(?is)^(?:change|set) (?:the )?(\S+)'s name (?:in)?to (\S+)$`), "rename $1 to $2"},
	{lazyregexp.New(`(?is)^give (.+?) the (?:new )?name (\S+)$`), "rename $1 to $2"},
	{lazyregexp.New(`(?is)^call (.+?) (\S+)(?: instead| from now on)+$`), "rename $1 to $2"},
	{lazyregexp.New(`(?is)^(?:get rid of|kill|nuke|throw away|throw out) (.+)$`), "delete $1"},
	{lazyregexp.New(`(?is)^(.+?) (?:should|must|can|has to|needs to) (?:go|be (?:deleted|removed|dropped))(?: away)?$`),
		"delete $1"},
	{lazyregexp.New(`(?is)^(.+?) (?:should|must|has to|needs to) (?:be moved |go |move )(?:in)?to (\S+)$`),
		"move $1 to $2"},
	{lazyregexp.New(`(?is)^(.+?) (?:needs|lacks|should have|wants) an? ((?:doc comment|docstring|comment)(?:: .+)?)$`),
		"document $1"},
	{lazyregexp.New(`(?is)^(?:in|within|inside) (.+?),? ((?:rename|replace|change|swap|delete|remove) .+)$`), "$2 in $1"},
}

// Paraphrased returns the words of a form for an instruction in other words, "" if it is none.
func Paraphrased(message string) string {
	message = Strip(message, SentenceEnd)
	for _, p := range paraphrases {
		if p.pattern.MatchString(message) {
			return p.pattern.ReplaceAllString(message, p.form)
		}
	}
	return ""
}
