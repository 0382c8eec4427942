package index

import (
	"bytes"
	"path"
	"strings"
	"unicode"
)

// traits say what makes a file less likely to be what is looked for, whatever words it
// has. They are stored with the index, and found by the conventions of all languages.
type traits uint8

const (
	testTrait      traits = 1 << iota // a test, or what tests are fed with
	secondaryTrait                    // copied from elsewhere, made by a program, or an example
	proseTrait                        // a text for people
	dataTrait                         // settings, and how to build: no program's text
	allTraits      = 1<<iota - 1
)

// traitWeights are what the scores of a file's units are multiplied by, by its traits.
type traitWeights [allTraits + 1]float64

// weighTraits has files with traits that the query asks for count in full.
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

// askedFor is the trait that a word of a query, in lower case, asks for.
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

// traitsOf finds the traits of a text in a language, "" for none.
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

// testFile says whether a path is that of a test: by a folder like tests, jvmTest or
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

// firstPart is a file's name up to its first dot.
func firstPart(name string) string {
	first, _, _ := strings.Cut(name, ".")
	return first
}

// lastPart is the last word of a name in camelCase, or one with marks between its words.
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

// copied says whether a file is in a folder for what others have written, or for examples.
func inSecondaryFolder(rel string) bool {
	for dir := range strings.SplitSeq(path.Dir(rel), "/") {
		if secondaryFolders[strings.ToLower(dir)] {
			return true
		}
	}
	return false
}

// headBytes is how much of a file is looked at for a mark of the program that made it.
const headBytes = 1 << 10

// generated says whether a file says of itself, or by its name, that a program made it.
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
