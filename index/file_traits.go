package index

import (
	"bytes"
	"path"
	"strings"
	"unicode"

	"ploke-lsp/internal/syntax"
)

// traits are reasons why a file is less likely what a query means, whatever words it has.
// They follow the conventions of all languages, and are stored with the index.
type traits uint8

const (
	testTrait      traits = 1 << iota // a test, or test data
	secondaryTrait                    // vendored, generated, or an example
	proseTrait                        // documentation
	dataTrait                         // configuration or build rules
	allTraits      = 1<<iota - 1
)

// traitWeights are the factors of the scores of a file's units, by the file's traits.
type traitWeights [allTraits + 1]float64

// newTraitWeights returns the weights for a query. Traits that the query requests don't
// reduce a score.
func newTraitWeights(requested traits) (w traitWeights) {
	for t := range w {
		w[t] = 1
		for trait, weight := range map[traits]float64{testTrait: testWeight, secondaryTrait: secondaryWeight, proseTrait: proseWeight, dataTrait: dataWeight} {
			if traits(t)&trait&^requested != 0 {
				w[t] *= weight
			}
		}
	}
	return w
}

// requestedTrait returns the trait that a lower-case word of a query requests.
func requestedTrait(word string) traits {
	for _, name := range []string{"example", "sample", "demo", "bench", "vendor", "generated"} {
		if strings.HasPrefix(word, name) {
			return secondaryTrait
		}
	}
	if strings.HasPrefix(word, "test") {
		return testTrait
	}
	return 0
}

// traitsOf returns the traits of a text in a language, "" for none.
func traitsOf(rel, language string, text []byte) (t traits) {
	if testFile(rel) {
		t |= testTrait
	}
	if inSecondaryFolder(rel) || generated(rel, text) {
		t |= secondaryTrait
	}
	name := strings.ToLower(path.Base(rel))
	switch {
	case language == "markdown", language == "html", language == "" && proseNames[firstPart(name)], language == "" && proseEndings[path.Ext(name)]:
		t |= proseTrait
	case dataLanguages[language], language == "" && (path.Ext(name) == "" || dataEndings[path.Ext(name)]):
		t |= dataTrait
	}
	return t
}

// Text is what the name of a file says that its text is.
type Text int

const (
	OtherText Text = iota // data, configuration, build rules, or something unknown
	CodeText
	ProseText
)

// TextOf returns what a file's name says: of code only by its extension, since names without one are those of
// scripts and build rules.
func TextOf(name string) Text {
	name = strings.ToLower(name)
	ext := path.Ext(name)
	language := syntax.Detect("_"+ext, nil)
	switch {
	case language == "markdown", language == "html", ext == "" && proseNames[name], language == "" && proseEndings[ext]:
		return ProseText
	case language != "" && !dataLanguages[language]:
		return CodeText
	}
	return OtherText
}

// Precedence orders files by what a reader looks for first.
type Precedence int

const (
	Source    Precedence = iota // everything else
	Test                        // tests
	Document                    // documentation and data
	Secondary                   // vendored, generated, and examples
	precedences
)

// Precedences is the number of values of [Precedence].
const Precedences = int(precedences)

// PrecedenceOf returns the precedence of a file by its slash-separated path and its text.
func PrecedenceOf(rel string, text []byte) Precedence {
	language := syntax.Detect(rel, text)
	switch kind := traitsOf(rel, language, text); {
	case kind&secondaryTrait != 0:
		return Secondary
	case language == "" || kind&(proseTrait|dataTrait) != 0:
		return Document
	case kind&testTrait != 0:
		return Test
	}
	return Source
}

var (
	testFolders = set("test tests testdata test-data __tests__ spec specs fixtures __fixtures__ mocks __mocks__ __snapshots__ e2e testsuite")
	testWords   = set("test tests spec specs")

	secondaryFolders = set(`vendor vendored third_party third-party thirdparty 3rdparty external externals bundled deps node_modules pods
		carthage godeps example examples sample samples demo demos playground snippets bench benches benchmark benchmarks`)
	secondaryEndings = strings.Fields(`.min.js .min.css .pb.go .pb.cc .pb.h .pb.gw.go _pb2.py _pb2.pyi _pb2_grpc.py .g.dart .freezed.dart .g.cs
		.designer.cs .snap .lock -lock.json -lock.yaml go.sum`)

	proseNames    = set("readme changelog changes history news authors contributors contributing copying license licence notice todo")
	proseEndings  = set(".rst .adoc .asciidoc .org .tex .pod .man .1")
	dataLanguages = set("yaml json toml dockerfile")
	dataEndings   = set(`.txt .xml .ini .cfg .conf .properties .csv .tsv .svg .plist .in .ac .am .m4 .cmake .mk .csproj .vcxproj .props .targets
		.nuspec .sln .cake .lock .sum .mod .po .editorconfig .gitignore .gitattributes`)
)

func set(words string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		all[word] = true
	}
	return all
}

// testFile reports whether a path is that of a test: by a folder like tests, jvmTest or
// Core.Tests, or a name like test_x, x_test, XTests or x.spec.
func testFile(rel string) bool {
	for dir := range strings.SplitSeq(path.Dir(rel), "/") {
		if last := lastPart(dir); testFolders[strings.ToLower(dir)] || testWords[strings.ToLower(last)] && last != dir {
			return true
		}
	}
	base := path.Base(rel)
	name := firstPart(base)
	last := lastPart(name)
	return strings.HasPrefix(name, "test_") || testWords[strings.ToLower(last)] && last != name ||
		strings.Contains(base, ".test.") || strings.Contains(base, ".spec.") || name == "conftest"
}

// firstPart returns a file's name up to its first dot.
func firstPart(name string) string {
	first, _, _ := strings.Cut(name, ".")
	return first
}

// lastPart returns the last word of a name in camelCase, or of a name with ".", "_", "-"
// or spaces.
func lastPart(name string) string {
	runes := []rune(name)
	for i := len(runes) - 1; i >= 0; i-- {
		switch r := runes[i]; {
		case strings.ContainsRune("._- ", r):
			return string(runes[i+1:])
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			return string(runes[i:])
		}
	}
	return name
}

// inSecondaryFolder reports whether a file is in a folder for vendored code or for
// examples.
func inSecondaryFolder(rel string) bool {
	for dir := range strings.SplitSeq(path.Dir(rel), "/") {
		if secondaryFolders[strings.ToLower(dir)] {
			return true
		}
	}
	return false
}

// headBytes is how much of a file is searched for the mark of a code generator.
const headBytes = 1 << 10

// generated reports whether a file's text or name says that a program generated it.
func generated(rel string, text []byte) bool {
	name := strings.ToLower(path.Base(rel))
	for _, ending := range secondaryEndings {
		if strings.HasSuffix(name, ending) {
			return true
		}
	}
	if lastPart(firstPart(name)) == "generated" || strings.Contains(name, ".generated.") || strings.HasPrefix(name, "zz_generated") {
		return true
	}
	head := bytes.ToLower(text[:min(len(text), headBytes)])
	for _, mark := range []string{"do not edit", "@generated", "<auto-generated", "automatically generated by", "autogenerated by"} {
		if bytes.Contains(head, []byte(mark)) {
			return true
		}
	}
	return false
}
