package problems

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/syntax"
)

// templateLine matches a line of a template, such as those of Helm: the text is YAML only once it is filled in.
var templateLine = lazyregexp.New(`(?m)^\s*(?:-\s+)?\{[{%]|:\s+\{\{[^{}]*\}\}|\{\{-|-\}\}`)

// maxNarrowedBytes bounds the texts in which the line of an error is looked for.
const maxNarrowedBytes = 128 << 10

// checkYAML finds the first error of a stream of documents, or the first key that is twice in a mapping.
func checkYAML(text []byte) *syntax.Problem {
	p := readYAML(text)
	if p != nil && p.Start < 0 {
		p.Start, p.Line = 0, brokenLine(text, *p)
	}
	return p
}

// brokenLine returns the line at which a text breaks. The library names the line at which the value begins
// that has the error in it.
func brokenLine(text []byte, p syntax.Problem) int {
	if len(text) > maxNarrowedBytes {
		return p.Line
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	good, bad := 0, len(lines)
	for good+1 < bad {
		middle := (good + bad) / 2
		if part := readYAML(bytes.Join(lines[:middle], nil)); part != nil && part.Message == p.Message {
			bad = middle
		} else {
			good = middle
		}
	}
	return bad
}

// readYAML returns an error of the parser with a negative Start.
func readYAML(text []byte) *syntax.Problem {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document yaml.Node
		err := decoder.Decode(&document)
		switch {
		case err == io.EOF:
			return nil
		case err != nil && templateLine.Match(text):
			return nil
		case err != nil:
			return yamlProblem(err)
		}
		if p := doubledKey(&document); p != nil {
			return p
		}
	}
}

// yamlProblem reads an error such as "yaml: line 3: did not find expected key".
func yamlProblem(err error) *syntax.Problem {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	p := &syntax.Problem{Start: -1, Line: 1, Message: message}
	if rest, ok := strings.CutPrefix(message, "line "); ok {
		number, reason, _ := strings.Cut(rest, ": ")
		if line, err := strconv.Atoi(number); err == nil {
			p.Line, p.Message = line, reason
		}
	}
	return p
}

// doubledKey returns the first key that a mapping has twice, which readers refuse or lose a value for.
func doubledKey(n *yaml.Node) *syntax.Problem {
	seen := make(map[string]bool)
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode && child.Value != "<<" {
			if seen[child.Value] {
				return &syntax.Problem{Line: child.Line, Message: fmt.Sprintf("the key %q is there twice", child.Value)}
			}
			seen[child.Value] = true
		}
		if p := doubledKey(child); p != nil {
			return p
		}
	}
	return nil
}
