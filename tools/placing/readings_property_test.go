package placing

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ploke-lsp/edits"
	"ploke-lsp/edits/problems"
	"ploke-lsp/internal/testbed"
	"ploke-lsp/internal/workspace"
)

// randomBlock returns lines of Python code without indentation, with levels of four spaces.
func randomBlock(r *rand.Rand, depth int) (block []string) {
	for range 1 + r.IntN(3) {
		switch n := r.IntN(9); {
		case n < 4 || depth == 0:
			block = append(block, fmt.Sprintf("%s = %d", randomName(r), r.IntN(100)))
		case n == 4:
			block = append(block, fmt.Sprintf("%s(", randomName(r)), "    1,", fmt.Sprintf("    %q,", randomName(r)), ")")
		case n == 5:
			block = append(block, "# "+randomName(r), "", fmt.Sprintf("%s += 1", randomName(r)))
		case n == 6:
			block = append(block, fmt.Sprintf("for %s in %s:", randomName(r), randomName(r)))
			block = append(block, deeper(randomBlock(r, depth-1))...)
		case n == 7:
			block = append(block, fmt.Sprintf("if %s:", randomName(r)))
			block = append(block, deeper(randomBlock(r, depth-1))...)
			block = append(block, "else:")
			block = append(block, deeper(randomBlock(r, depth-1))...)
		default:
			block = append(block, fmt.Sprintf("def %s(x):", randomName(r)))
			block = append(block, deeper(append([]string{`"""` + randomName(r) + `"""`}, randomBlock(r, depth-1)...))...)
		}
	}
	return block
}

func randomName(r *rand.Rand) string { return fmt.Sprintf("v%d", r.IntN(1000)) }

func deeper(block []string) []string { return indentBy("    ", block) }

func indentBy(indent string, block []string) (all []string) {
	for _, line := range block {
		if line != "" {
			line = indent + line
		}
		all = append(all, line)
	}
	return all
}

// TestNewParsesHoweverItIsIndented replaces a random line of random Python files by a random block, which a model has
// indented as in the file, from the second line on as in the file, or not at all.
func TestNewParsesHoweverItIsIndented(t *testing.T) {
	all := 0
	for seed := range uint64(testbed.Count(400, 100)) {
		r := rand.New(rand.NewPCG(seed, 1))
		file := randomBlock(r, 4)
		at := r.IntN(len(file))
		old := strings.TrimSpace(file[at])
		if indent := indentOf(file[at]); indent == "" || slices.Contains([]string{"else:", ")", "1,"}, old) || strings.HasPrefix(old, `"`) || strings.HasSuffix(old, "(") {
			continue
		}
		block := randomBlock(r, 2)
		if strings.HasSuffix(old, ":") {
			block = append(block, old)
		}
		indent := indentOf(file[at])
		right := slices.Concat(file[:at], indentBy(indent, block), file[at+1:])
		before, want := strings.Join(file, "\n")+"\n", strings.Join(right, "\n")+"\n"
		if strings.Count(before, old) != 1 || len(problems.New("a.py", []byte(before), []byte(want))) > 0 {
			continue
		}
		full := strings.Join(indentBy(indent, block), "\n")
		for style, text := range map[string]string{"not at all": strings.Join(block, "\n"), "but the first line": strings.TrimSpace(full),
			"as in the file": full} {
			src := &SourceFile{File: &workspace.File{Path: "/a.py", Text: []byte(before), Hash: workspace.Hash([]byte(before))}, Rel: "a.py",
				Language: "python"}
			where, err := ByText(src, Request{TextRequest: TextRequest{Old: old, New: &text}})
			if err != nil {
				t.Fatal(err)
			}
			faults := &Faults{Total: 1}
			operation, err := where.Files[0].operation(faults)
			if err != nil || faults.failure() != nil {
				t.Fatalf("seed %d, %s: %v %v\n%s\nold: %s\nnew:\n%s", seed, style, err, faults.failure(), before, old, text)
			}
			after, err := edits.Apply(src.Text, operation.Edits)
			if err != nil {
				t.Fatal(err)
			}
			if all++; string(after) != want {
				t.Errorf("seed %d, %s: not as meant\n%s\nold: %s\nnew:\n%s\n", seed, style, after, old, text)
			}
		}
	}
	if all < 50 {
		t.Errorf("only %d cases", all)
	}
}
