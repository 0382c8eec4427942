package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// promising are the pages of which each sentence is in testdata/promises.txt, with the tests that hold it.
var promising = []string{"SECURITY.md", "docs/privacy.md", "docs/auto-accept.md", "docs/proof.md"}

// heldBy is what holds a sentence of a page.
type heldBy struct {
	page, sentence string
	by             []string // "folder: TestName TestName", "file: a line in it", or "-: why it is no promise"
}

// TestEachPromiseHasATest compares the sentences of the pages with the list, and looks for the tests that it names. A
// sentence that is new or changed needs its line there.
func TestEachPromiseHasATest(t *testing.T) {
	var listed []string
	for _, p := range promises(t) {
		listed = append(listed, p.page+": "+p.sentence)
		if len(p.by) == 0 {
			t.Errorf("nothing holds %q of %s", p.sentence, p.page)
		}
		for _, by := range p.by {
			for _, missing := range missingTests(t, by) {
				t.Errorf("there is no test %s, which holds %q of %s", missing, p.sentence, p.page)
			}
		}
	}
	var said []string
	for _, path := range promising {
		for _, sentence := range sentences(page(t, path)) {
			said = append(said, path+": "+sentence)
		}
	}
	for _, one := range said {
		if !slices.Contains(listed, one) {
			t.Errorf("docs/testdata/promises.txt lacks %s", one)
		}
	}
	for _, one := range listed {
		if !slices.Contains(said, one) {
			t.Errorf("docs/testdata/promises.txt has what no page says: %s", one)
		}
	}
}

// promises reads the list: below the name of a page its sentences, each with lines that are indented.
func promises(t *testing.T) (all []heldBy) {
	t.Helper()
	at := ""
	for line := range strings.Lines(page(t, "docs/testdata/promises.txt")) {
		line = strings.TrimRight(line, "\n")
		name, isPage := strings.CutPrefix(line, "# ")
		by, isTest := strings.CutPrefix(line, "    ")
		switch {
		case isPage:
			at = name
		case isTest:
			all[len(all)-1].by = append(all[len(all)-1].by, by)
		case line != "":
			all = append(all, heldBy{page: at, sentence: line})
		}
	}
	return all
}

// missingTests returns which of the tests that a line names are not in its folder.
func missingTests(t *testing.T, line string) (missing []string) {
	t.Helper()
	folder, names, _ := strings.Cut(line, ": ")
	if names == "" {
		return []string{line}
	}
	if folder == "-" {
		return nil
	}
	if filepath.Ext(folder) != "" {
		if !strings.Contains(page(t, folder), names) {
			return []string{line}
		}
		return nil
	}
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text += string(source)
	}
	for name := range strings.FieldsSeq(names) {
		if !strings.Contains(text, "\nfunc "+name+"(t *testing.T)") {
			missing = append(missing, folder+" "+name)
		}
	}
	return missing
}

var (
	endOfSentence = regexp.MustCompile("([.?!])\\s+([A-Z`*\\[])")
	ruleOfTable   = regexp.MustCompile(`^[|\-: ]+$`)
)

// sentences returns the sentences of a page, one for each row of a table and at least one for each item of a list, without its
// headings, examples and generated tables.
func sentences(text string) (all []string) {
	var paragraph []string
	flush := func() {
		joined := endOfSentence.ReplaceAllString(strings.Join(paragraph, " "), "$1\n$2")
		all = append(all, strings.Split(joined, "\n")...)
		all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
		paragraph = nil
	}
	generated := false
	for line := range strings.Lines(text) {
		words := strings.TrimSpace(line)
		item, isItem := strings.CutPrefix(line, "- ")
		switch {
		case strings.HasPrefix(line, "<!-- "):
			generated = !strings.HasPrefix(line, "<!-- end")
		case generated, strings.HasPrefix(line, "    ") && len(paragraph) == 0:
		case words == "", strings.HasPrefix(words, "#"), ruleOfTable.MatchString(words):
			flush()
		case strings.HasPrefix(words, "|"):
			flush()
			all = append(all, strings.Trim(words, "| "))
		case isItem:
			flush()
			paragraph = append(paragraph, strings.TrimSpace(item))
		default:
			paragraph = append(paragraph, words)
		}
	}
	flush()
	return all
}
