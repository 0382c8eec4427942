package embedded

import (
	"strings"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/session/llm/embedded/lexicon"
)

// These are lists that one line of code each tells: what is deprecated, which errors there are, which variables of the
// environment are read.
const (
	deprecatedLine = `(?i)#\[deprecated|@deprecated|\[obsolete|\[\[deprecated|\bdeprecated:|DeprecationWarning|` +
		`\.\. deprecated::|warn_deprecated`
	errorLine = `^\s*(?:export |default |pub(?:\([a-z]+\))? |public |abstract |final |data |sealed |open |internal )*` +
		`(?:class|struct|enum|interface|object|exception) \w*(?:Error|Exception|Failure)s?\b` +
		`|^\s*(?:var |const )?Err[A-Z]\w*\s+(?:error\s*)?=|^type \w*Error\b`
	environmentLine = `\b(?:os\.(?:Getenv|LookupEnv)|env::var(?:_os)?|env!|option_env!|(?:os\.)?getenv|System\.getenv|` +
		`Environment\.GetEnvironmentVariable|System\.get_env)\b|os\.environ\b|process\.env\.\w|import\.meta\.env\.\w|` +
		`\bENV\[|Deno\.env\.get`
	flagLine = `\bflag\.(?:String|Bool|Int|Int64|Uint|Duration|Float64|Var|Func)(?:Var)?\(` +
		`|\.(?:Persistent)?Flags\(\)\.\w+\(` +
		`|\badd_argument\(|@(?:\w+\.)?option\(|#\[(?:arg|clap)\(.*\b(?:long|short)|\bArg::new\(|\.(?:option` +
		`|requiredOption)\(['"]-` +
		`|\bOptParse|\bgetopt|\bdefine_flag|@Option\(|@Parameter\(names`
)

// declarations are the lines that declare something of a kind, in several languages.
var declarations = map[string]string{
	"struct": `^\s*(?:pub(?:\([a-z]+\))? |typedef |public |internal )*struct \w+|^type \w+(?:\[.*\])? struct\b`,
	"interface": `^\s*(?:export |public |internal |sealed )*interface \w+|^type \w+(?:\[.*\])? interface\b|` +
		`^class \w+\((?:\w+\.)?(?:ABC|Protocol)\b`,
	"trait": `^\s*(?:pub(?:\([a-z]+\))? |unsafe |sealed )*trait \w+`,
	"class": `^\s*(?:export |default |public |private |protected |internal |abstract |final |static |data |sealed |open ` +
		`|` +
		`partial )*class \w+`,
	"enum": `^\s*(?:export |const |pub(?:\([a-z]+\))? |public |declare |typedef )*enum (?:class )?\w+` +
		`|^class \w+\(.*Enum\)`,
	"macro":    `^\s*(?:pub )?macro_rules! \w+|^#\s*define \w+\(|^\s*defmacro \w+`,
	"constant": `^\s*(?:export |pub(?:\([a-z]+\))? |public |static |final )*const \w+|^[A-Z][A-Z0-9_]+ *(?::[^=]+)?= `,
	"test": `^func (?:Test|Benchmark|Fuzz|Example)\w*\(|^\s*(?:async )?def test_|^\s*#\[(?:\w+::)*test\b|` +
		`^\s*(?:it|test)(?:\.(?:each|only|skip|todo|concurrent))*\(|^\s*@(?:Test|ParameterizedTest)\b` +
		`|^\s*public function test\w+|^\s*\[(?:Fact|Test)\]`,
}

// declaredOf lists what is declared of the kind in m[0].
func declaredOf(m []string) instruction {
	kind := strings.ToLower(m[0])
	for _, ending := range []string{"es", "s"} {
		if pattern := declarations[strings.TrimSuffix(kind, ending)]; pattern != "" {
			return grep{pattern: pattern, said: kind, limit: outlined / 2, code: !strings.HasPrefix(kind, "test")}
		}
	}
	return nil
}

func listOf(pattern, said string) func([]string) instruction {
	return func([]string) instruction { return listed(pattern, said) }
}

// listed lists the lines of a pattern in code that is no test.
func listed(pattern, said string) grep {
	return grep{pattern: pattern, said: said, limit: outlined / 2, code: true}
}

// kindsOf lists what implements or extends the type that a word names; another word is a question for the search.
func kindsOf(m []string) instruction {
	word := strings.TrimSuffix(strings.ToLower(firstOf(m)), "s")
	if lexicon.Common[word] || lexicon.Weak[word] || len(word) < 3 {
		return nil
	}
	return relation{target{name: strings.ToUpper(word[:1]) + word[1:]}, "implementers", true}
}

// keywordUses lists the lines with a keyword.
func keywordUses(m []string) instruction {
	word := strings.TrimRight(strings.ToLower(firstOf(m)), "!s")
	return grep{pattern: `\b` + word + `s?\b`, said: word}
}

// judged are the qualities that a person asks about, by the words with which prose speaks of them.
var judged = lazyregexp.New(`(?i)^(?:thread|go ?routine|memory|type|async|concurren\w*|production)?[- ]?(?:safe\w*|` +
	`ready|secure|fast|slow|stable|good|reliable|mature|efficient|scalable|idiomatic|buggy|maintained)$`)

// judge finds what the project's own prose says of a quality, which rules can't judge.
func judge(m []string) instruction {
	said := strings.ToLower(firstOf(m))
	if !judged.MatchString(said) {
		return nil
	}
	words := strings.FieldsFunc(said, func(r rune) bool { return r == ' ' || r == '-' })
	return grep{pattern: `(?i)\b` + strings.Join(words, `[- ]?`), said: said, otherwise: talk{"judge"},
		head: "Rules can't judge that. Where the project speaks of it:\n\n"}
}
