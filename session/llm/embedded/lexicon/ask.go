package lexicon

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// Ask is a syntax of a question about a symbol. In a pattern, IT stands for the words
// that name the symbol, and BE for a form of the verb.
type Ask struct {
	Pattern *lazyregexp.Regexp
	About   string // what is asked about it, such as callers; explain, or define
	Weak    bool   // it may as well be a question in plain words
}

func newAsk(about, pattern string) Ask {
	return Ask{lazyregexp.Of(func() string { return `(?is)^(?:` + ofAsks.Replace(pattern) + `)$` }), about, false}
}

// ofAsks replaces the words in capitals of an Ask's pattern.
var ofAsks = strings.NewReplacer("WHO", `(?:who|what|which|where|how many|how often|does|do`+
	`|is there)(?: else)?(?: all)?(?: (?:do|does|did))?(?: (?:the )?(?:other )?(?:functions?|methods?|types?|structs?`+
	`|class(?:es)?|code|files?|places?|packages?|modules?|tests?|test cases?|things?|anything|anyone|anybody|something`+
	`|someone|we|you|they|it))?(?: (?:that|which))?`,
	"ALL", `(?:(?:find|list|show|get|give|print|count|search(?: for)?|look(?: for| up)?|locate|what(?: is|'s| are)?`+
		`|which(?: are)?|where(?: is|'s| are)|how many|(?:is|are) there)(?: me| us)?(?: all| any| every| each)?`+
		`(?: of)?(?: the)? )?(?:any `+
		`|all |every |each |the )?`,
	"THEIT", `(?:(?:is|are|was|were|gets?|being) (.+?)|(.+?) (?:is|are|was|were|gets?|being))`,
	"BE", `(?:is|are|was|were|gets?|being)`, "IT", `(.+?)`)

func newWeakAsk(about, pattern string) Ask {
	a := newAsk(about, pattern)
	a.Weak = true
	return a
}

// Asks are tried in this order.
var Asks = []Ask{
	newAsk("tests", `(?:WHO) (?:tests?|covers?|exercises?|checks?) IT`),
	newAsk("tests", `(?:where|how|by what) THEIT (?:unit )?(?:tested|covered)|BE IT (?:tested|covered)(?: by .*)?`),
	newAsk("tests", `ALL(?:unit |existing )?(?:tests?|test cases?|test coverage)(?: there)? (?:of|for|that`+
		` (?:cover|test`+
		`|use|call)) IT`),
	newAsk("tests", `do(?:es)? IT have (?:any )?(?:unit )?tests?|IT tests`),

	newAsk("callees", `(?:what|which|who)(?: other)?(?: functions?| methods?| code| else| things?`+
		`| all)* do(?:es)? IT (?:call|invoke)s?(?: directly)?`),
	newAsk("dependencies", `(?:what|which|who)(?: other)?(?: functions?| methods?| types?| code| else| things?`+
		`| all)* do(?:es)? IT (?:use|depend on|need|reference|import)s?(?: directly)?`),
	newAsk("callees", `(?:what|which)(?: functions?| methods?| code| else| things?)* BE (?:called|invoked) (?:by`+
		`|from|in`+
		`|inside) IT`),
	newAsk("dependencies", `(?:what|which)(?: functions?| methods?| types?| code| else| things?)* BE (?:used|referenced`+
		`|needed) (?:by|in|inside) IT|ALLdependencies (?:of|for) IT`),
	newAsk("callees", `ALL(?:callees|outgoing calls) (?:of|in|from|for) IT|ALLcalls (?:made )?(?:by|in|from|inside) IT`),
	newAsk("supertypes", `(?:what|which)(?: interfaces?| traits?| class(?:es)?| types?)* do(?:es)? IT (?:implement`+
		`|extend|inherit|inherit from|derive from|subclass)`),
	newAsk("supertypes", `ALL(?:supertypes?|base class(?:es)?|super ?class(?:es)?|parents?|parent class(?:es)?) of IT`),

	newAsk("implementers", `(?:WHO) (?:implements?|extends?|inherits?(?: from)?|subclass(?:es)?|derives? from`+
		`|satisf(?:y`+
		`|ies)|overrides?|embeds?) IT`),
	newAsk("implementers", `(?:is|are) there (?:an? |any |other |some )*(?:class(?:es)?|types?|structs?`+
		`|interfaces?|exceptions?|errors?|`+
		`things?|anything|something)?(?: that| which)? ?(?:extends?|implements?|inherits?(?: from)?|subclass(?:es)?`+
		`|derives? from|`+
		`overrides?|extending|implementing|inheriting from|subclassing|derived from) IT`),
	newAsk("implementers", `ALL(?:implementations?|implementers?|implementors?|sub ?class(?:es)?|subtypes?`+
		`|derived (?:class(?:es)?|types)|overrides) (?:of|for) IT|IT (?:implementations|implementers|subclasses)`),
	newAsk("implementers", `(?:what|which|who)(?: types?| class(?:es)?| structs?)? (?:is`+
		`|are) (?:an? )?(?:implementations?|implementers?|subclass(?:es)?|subtypes?) of IT`),
	newAsk("implementers", `(?:what|which|who|whom)(?: other)?(?: types?| class(?:es)?| structs?| things?)* (?:is|are`+
		`|do|does) IT (?:implemented|derived) (?:for|by|on)`),
	newAsk("implemented", `(?:where|how|by what|by whom) THEIT implemented|WHO implemented by IT`),

	newAsk("callers", `(?:from )?(?:where|how often|who|what|which(?: functions?| methods?)?|when|how) THEIT (?:being `+
		`|getting )?(?:called|invoked)(?: from| by)?|BE IT (?:ever )?(?:called|invoked)(?: from| by)?(?: anywhere`+
		`| anything)?`),
	newAsk("callers", `(?:WHO) (?:calls?|invokes?|called|is calling|are calling|triggers?) IT`),
	newAsk("callers", `ALL(?:incoming )?(?:callers?|calls|call ?sites?|invocations?)(?: there)? (?:of|to|for`+
		`|does) IT(?: have)?|IT(?:'s)? (?:callers|call ?sites)`),

	newAsk("importers", `(?:(?:find|list|show|print|count)(?: me)?(?: all| every)? )?(?:the )?(?:WHO|(?:(?:all|any`+
		`|the|other) )*(?:files?|`+
		`modules?|class(?:es)?|packages?|code))(?: (?:test|source|other) (?:files?|class(?:es)?`+
		`|modules?))?(?: (?:that|which))? `+
		`(?:imports?|(?:is |are )?importing|imported|pulls? in|requires?) IT`),
	newAsk("importers", `ALL(?:importers?|imports|import (?:lines|statements)) (?:of|for) IT|(?:where|by what`+
		`|by whom|how often) `+
		`(?:is|are|was|gets) IT imported(?: from| by)?|(?:where|what|who|which files) (?:do|does) (?:we|you|they|it`+
		`|the code) import IT`),

	newAsk("references", `(?:where|how|how often|by what|who|what|which) THEIT (?:being )?(?:used|referenced|mentioned`+
		`|needed|instantiated)(?: from| by| in)?|BE IT (?:ever |still )?(?:used|referenced|needed)(?: anywhere)?`+
		`|(?:is|are) IT (?:dead code|unused|dead)`),
	newAsk("references", `(?:WHO) (?:use|uses|using|is using|are using|used|references?|refers? to|mentions?`+
		`|depends? (?:up)?on|needs?|accesse?s?|instantiates?|touch(?:es)?|consumes?) IT`),
	newAsk("references", `ALL(?:usages?|uses|references?|occurrences?|mentions?|users?|dependents?`+
		`|instances)(?: there)? (?:of|to|for) IT|IT (?:usages?|uses|references)`),

	newAsk("define", `(?:where|in (?:which|what) (?:file|package|folder|module)) THEIT (?:defined|declared|located`+
		`|written|found|from|coded|placed)`),
	newAsk("define", `where do(?:es)? IT (?:live|come from|reside)|where (?:can|do) (?:i|we|you) find IT|(?:who|what`+
		`|which (?:file|package|module)) (?:defines?|declares?|has|contains?) IT`),
	newAsk("define", `ALL(?:definitions?|declarations?|source(?: code)?|code|signature|implementation code|body|docs?`+
		`|documentation|doc comment) (?:of|for) IT|IT (?:definition|declaration|signature|source)`),
	newWeakAsk("define", `(?:where(?: is| are|'s)|go ?to|jump to|open|find|locate|look up|lookup|view|see|display`+
		`|search(?: for)?|which file is|where) IT`),
	newWeakAsk("explain", `what is (?:at|in|on|inside) IT`),
	newWeakAsk("explain", `(?:what|which)(?: values?| types?| arguments?| parameters?| args?`+
		`| kind of value)? do(?:es)? IT (?:return|returns|take|takes|accept|accepts|expect|give back)`),
	newWeakAsk("explain", `(?:what|how) (?:do|does|did) IT (?:do|work|mean)|what(?: is|'s| are)(?: the (?:purpose|point`+
		`|meaning|role|job|type|value) of)? IT(?: for| about| doing| used for)?`),
	newWeakAsk("explain", `(?:explain|describe|about|summari[sz]e|understand)(?: to)?(?: me)?(?: what`+
		`| how)? IT(?: (?:does|is|works|means))?`),
	newWeakAsk("explain", `IT`),
}
