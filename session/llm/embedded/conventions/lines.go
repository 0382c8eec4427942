package conventions

import (
	"regexp"
	"slices"
	"strings"
)

// These are lists that one line of code each tells: what is deprecated, which errors there are, which variables of the
// environment are read.
const (
	DeprecatedLine = `(?i)#\[deprecated|@deprecated|\[obsolete|\[\[deprecated|\bdeprecated:|DeprecationWarning|` +
		`\.\. deprecated::|warn_deprecated`
	ErrorLine = `^\s*(?:export |default |pub(?:\([a-z]+\))? |public |abstract |final |data |sealed |open |internal )*` +
		`(?:class|struct|enum|interface|object|exception) (?:\w*(?:Error|Exception|Failure)s?\b` +
		`|\w+(?:\((?:[\w.]+, *)*|(?:<[^>]*>)?(?:\([^)]*\))? *(?:: *(?:public )?|< *|extends ))` + // by what it extends
		`(?:[\w.:\\]*(?:Error|Exception)|std::(?:exception|bad_\w+|\w+_error))(?:[,){(; ]|$))` +
		`|^\s*(?:var |const )?Err[A-Z]\w*\s+(?:error\s*)?=|^type \w*Error\b`
	EnvironmentLine = `\b(?:os\.(?:Getenv|LookupEnv)|env::var(?:_os)?|env!|option_env!|(?:os\.)?getenv|System\.getenv|` +
		`Environment\.GetEnvironmentVariable|System\.get_env)\b|os\.environ\b|process\.env\.\w|import\.meta\.env\.\w|` +
		`\bENV\[|Deno\.env\.get`
	FlagLine = `\bflag\.(?:String|Bool|Int|Int64|Uint|Duration|Float64|Var|Func)(?:Var)?\(` +
		`|\.(?:Persistent)?Flags\(\)\.\w+\(` +
		`|\badd_argument\(|@(?:\w+\.)?option\(|#\[(?:arg|clap)\(.*\b(?:long|short)|\bArg::new\(|\.(?:option` +
		`|requiredOption)\(['"]-` +
		`|\bOptParse|\bgetopt|\bdefine_flag|@Option\(|@Parameter\(names`
)

// Declarations are the lines that declare something of a kind, in several languages.
var Declarations = map[string]string{
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

// Exports matches the lines with which a package exports something, in several languages.
const Exports = ExportedFunctions + `|^export (?:default )?(?:declare )?(?:abstract )?(?:const|let|class|` +
	`interface|type|enum|namespace) [\w$]+|^export (?:type )?(?:\*|\{)|^pub (?:struct|` +
	`enum|trait|type|mod|use|static|const|macro) |^(?:type|var|` +
	`const) [A-Z]|^class [A-Za-z]|^public `

// ExportedFunctions matches those of functions.
const ExportedFunctions = `^(?:module\.)?exports(?:\.\w+)* ?=|^export (?:default )?(?:declare )?(?:async ` +
	`)?function\*? ?[\w$]+|^export (?:const` +
	`|let) [\w$]+(?:: [^=]+)? = (?:async )?(?:\(|function)|` +
	`^pub (?:async |const |unsafe )*fn |^func (?:\((?:\w+ )?\*?[A-Z][^)]*\) )?[A-Z]|^(?:async )?def [A-Za-z]` +
	`|^    public (?:static )?[\w<>\[\], ]+ \w+\(`

// places are patterns of lines at which something is done with the name NAME, and the verbs for that without an ending.
var places = []struct{ verbs, pattern string }{
	{"thrown throw raised raise", `\b(?:throw|throws|raise|panic!?|fail|reject|Err)\b.*\bNAME\b`},
	{"create created instantiated instantiate constructed construct",
		`\bnew\s+(?:[\w.]+\.)?NAME\b|(?:^|[^\w.]|\.)NAME(?:::new|\.new)?\s*[({]`},
	{"caught catche catch handled handle",
		`\b(?:catch|except|rescue|recover|errors\.(?:As|Is)|instanceof|is)\b.*\bNAME\b`},
	{"set assigned assign", `\bNAME\s*(?:[-+*/|&]|:)?=(?:[^=]|$)|\bNAME:\s`},
	{"returned return", `\breturn\b.*\bNAME\b`},
}

// PlacesThat returns a pattern of the lines that do something with a name, such as those that throw it.
func PlacesThat(verb, name string) (pattern string, ok bool) {
	verb = strings.TrimSuffix(strings.ToLower(verb), "s")
	for _, p := range places {
		if slices.Contains(strings.Fields(p.verbs), verb) {
			return strings.ReplaceAll(p.pattern, "NAME", regexp.QuoteMeta(name)), true
		}
	}
	return "", false
}

// CommentWith returns the pattern of the comments that have one of some words, by the form of their lines.
func CommentWith(words string) string {
	return `(?:(?:^|[^:\w])//|(?:^|[\s;)}])#|/\*|^\s*\*|(?:^|\s)--(?:\s|\[)|^\s*;|<!--|\{#|\{-|\(\*|^\s*%|"""` +
		`|''').*\b` + words + `\b|^\s*` + words + `\b`
}
