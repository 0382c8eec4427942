package proof

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// jsonIn calls value with each JSON value that has lines of its own in an output: one line, or the lines from one with
// a brace alone to the next such line. It returns the output as people read it, with what value says in place of the
// values that it takes, and the output without these.
func jsonIn(output string, value func(text string) (readable string, taken bool)) (text, others string) {
	var all, rest strings.Builder
	for output != "" {
		end := jsonEnd(output)
		if json.Valid([]byte(output[:end])) {
			if readable, taken := value(output[:end]); taken {
				all.WriteString(readable)
				output = output[end:]
				continue
			}
		}
		end = lineEnd(output)
		all.WriteString(output[:end])
		rest.WriteString(output[:end])
		output = output[end:]
	}
	return all.String(), rest.String()
}

func lineEnd(text string) int {
	if i := strings.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// maxJSON is how long a value in several lines may be.
const maxJSON = 1 << 20

// jsonEnd returns where a value that begins with a text would end; 0 if none begins there.
func jsonEnd(text string) int {
	if text[0] != '{' && text[0] != '[' {
		return 0
	}
	end := lineEnd(text)
	closing, alone := map[string]string{"{": "\n}", "[": "\n]"}[strings.TrimSpace(text[:end])]
	if !alone {
		return end
	}
	if i := strings.Index(text[:min(len(text), maxJSON)], closing); i >= 0 {
		return i + 1 + lineEnd(text[i+1:])
	}
	return end
}

// readVet reads go vet -json: what the compiler says is text, and the status does not say that something was found.
func readVet(output string) (r report, err error) {
	var all []found
	text, others := jsonIn(output, func(text string) (string, bool) {
		var packages map[string]map[string]json.RawMessage
		if json.Unmarshal([]byte(text), &packages) != nil {
			return "", false
		}
		var readable strings.Builder
		for _, name := range slices.Sorted(maps.Keys(packages)) {
			for _, analyzer := range slices.Sorted(maps.Keys(packages[name])) {
				var list []struct{ Posn, End, Message string }
				_ = json.Unmarshal(packages[name][analyzer], &list) // one that can't be read is an analyzer's own failure
				for _, d := range list {
					one := found{message: d.Message, code: analyzer, by: "go"}
					one.file, one.line, one.column = splitPlace(d.Posn)
					_, one.endLine, one.endColum = splitPlace(d.End)
					all = append(all, one)
					fmt.Fprintf(&readable, "%s: %s\n", d.Posn, d.Message)
				}
			}
		}
		return readable.String(), true
	})
	r.text, r.failed = text, len(all) > 0
	broken, err := problemsIn(others, goVetFormats)
	r.problems = append(broken, once(all)...)
	return r, err
}

var fileAndLine = lazyregexp.New(`^(.*?):(\d+)(?::(\d+))?$`)

// splitPlace splits file:line:column.
func splitPlace(text string) (file string, line, column int) {
	groups := fileAndLine.FindStringSubmatch(text)
	if groups == nil {
		return "", 0, 0
	}
	line, _ = strconv.Atoi(groups[2])
	column, _ = strconv.Atoi(groups[3])
	return groups[1], line, column
}

// cargoMessage is a line of cargo --message-format=json.
type cargoMessage struct {
	Reason  string
	Message struct {
		Level, Message, Rendered string
		Code                     struct{ Code string }
		Spans                    []struct {
			File      string `json:"file_name"`
			Line      int    `json:"line_start"`
			Column    int    `json:"column_start"`
			EndLine   int    `json:"line_end"`
			EndColumn int    `json:"column_end"`
			Primary   bool   `json:"is_primary"`
			Label     string
		}
	}
}

// found returns the problem of a message, if it is one.
func (m *cargoMessage) found() (one found, ok bool) {
	level := m.Message.Level
	if level != "error" && level != "warning" || strings.HasPrefix(m.Message.Message, "aborting due to") {
		return one, false
	}
	one = found{message: m.Message.Message, code: m.Message.Code.Code, warning: level == "warning", by: "rust"}
	for _, s := range m.Message.Spans {
		if s.Primary {
			one.file, one.line, one.column, one.endLine, one.endColum = s.File, s.Line, s.Column, s.EndLine, s.EndColumn
			one.message = strings.TrimSuffix(one.message+": "+s.Label, ": ")
			break
		}
	}
	return one, one.file != "" || !one.warning // a warning without a place counts others
}

var (
	rustFails  = lazyregexp.New(`^test (.+) \.\.\. FAILED`)
	rustPanics = lazyregexp.New(`^thread '(.+)'(?: \(\d+\))? panicked at (.+):(\d+):(\d+):$`)
)

// readCargo reads cargo with --message-format=json, and the tests that it runs.
func readCargo(output string) (r report, err error) {
	text, others := jsonIn(output, func(text string) (string, bool) {
		var m cargoMessage
		if json.Unmarshal([]byte(text), &m) != nil || m.Reason == "" {
			return "", false
		}
		if one, ok := m.found(); ok {
			r.problems = append(r.problems, one)
		}
		return m.Message.Rendered, true
	})
	panics := map[string]found{}
	var fails []string
	name := ""
	for line := range strings.Lines(shortLines(others)) {
		line = strings.TrimSuffix(line, "\n")
		if name != "" {
			p := panics[name]
			p.message = name + " fails: " + line
			panics[name], name = p, ""
		}
		if groups := rustPanics.FindStringSubmatch(line); groups != nil {
			p := found{file: groups[2], by: "panic"}
			p.line, _ = strconv.Atoi(groups[3])
			p.column, _ = strconv.Atoi(groups[4])
			name, panics[groups[1]] = groups[1], p
		}
		if groups := rustFails.FindStringSubmatch(line); groups != nil {
			fails = append(fails, groups[1])
		}
	}
	for _, test := range fails {
		p := panics[test]
		if p.message == "" {
			p.message = test + " fails"
		}
		r.problems = append(r.problems, p)
	}
	r.text, r.problems, r.tests = text, once(r.problems), countTests(others)
	if len(r.problems) == 0 { // of a manifest, say
		r.problems, err = problemsIn(others, cargoFormats)
	}
	return r, err
}

// linter returns what reads a linter that prints JSON. each returns the problems of a value.
func linter(each func(text string) (all []found, taken bool)) reader {
	return func(output string) (r report, err error) {
		taken := false
		r.text, _ = jsonIn(output, func(text string) (readable string, ok bool) {
			all, ok := each(text)
			for _, p := range all {
				readable += p.String() + "\n"
			}
			r.problems, taken = append(r.problems, all...), taken || ok
			return readable, ok
		})
		if !taken {
			return lines(anyFormats)(output)
		}
		r.problems = once(r.problems)
		return r, nil
	}
}

// String is the problem as people read it.
func (p found) String() string {
	text := fmt.Sprintf("%s:%d:%d: %s", p.file, p.line, p.column, p.message)
	if p.code != "" {
		text += " (" + p.code + ")"
	}
	return text
}

// readRuff reads ruff --output-format json-lines.
var readRuff = linter(func(text string) ([]found, bool) {
	var p struct {
		Code, Message, Filename string
		Location                struct{ Row, Column int }
		End                     struct{ Row, Column int } `json:"end_location"`
	}
	if json.Unmarshal([]byte(text), &p) != nil || p.Filename == "" {
		return nil, false
	}
	return []found{{file: p.Filename, line: p.Location.Row, column: p.Location.Column, endLine: p.End.Row,
		endColum: p.End.Column, message: p.Message, code: p.Code, by: "python"}}, true
})

// readESLint reads eslint -f json. A file that its configuration leaves out has a warning without a place.
func readESLint(output string) (report, error) {
	looked, files := 0, 0
	r, err := linter(func(text string) (all []found, taken bool) {
		var results []struct {
			FilePath string
			Messages []struct {
				RuleID                           string `json:"ruleId"`
				Message                          string
				Severity                         int
				Line, Column, EndLine, EndColumn int
			}
		}
		if json.Unmarshal([]byte(text), &results) != nil {
			return nil, false
		}
		for _, f := range results {
			files++
			looked++
			for _, m := range f.Messages {
				if m.Line == 0 && strings.HasPrefix(m.Message, "File ignored") {
					looked--
					continue
				}
				all = append(all, found{file: f.FilePath, line: m.Line, column: m.Column, endLine: m.EndLine,
					endColum: m.EndColumn, message: m.Message, code: m.RuleID, warning: m.Severity < 2, by: "script"})
			}
		}
		return all, true
	})(output)
	r.nothing = files > 0 && looked == 0
	return r, err
}

// maxMessage is how many bytes of what a test says are a problem's message.
const maxMessage = 300

var (
	stackLine  = lazyregexp.New(`^\s+at (?:.*?\(?([^\s()]+):(\d+):\d+\)?$)?`)
	pictured   = lazyregexp.New(`^\s*(> )?(\d+)? *\| ?`)
	suiteFails = "● Test suite failed to run"
)

// stackOf returns the words of an error, and the line of a file in its stack or in the picture of its code.
func stackOf(text, file string) (message string, line int) {
	var words []string
	for l := range strings.Lines(shortLines(text)) {
		if groups := stackLine.FindStringSubmatch(l[:len(l)-1]); groups != nil {
			if line == 0 && (groups[1] == file || strings.HasSuffix(file, "/"+strings.TrimPrefix(groups[1], "./"))) {
				line, _ = strconv.Atoi(groups[2])
			}
			continue
		}
		if groups := pictured.FindStringSubmatch(l); groups != nil {
			if groups[1] != "" && line == 0 {
				line, _ = strconv.Atoi(groups[2])
			}
			continue
		}
		if l = strings.TrimSpace(l); l != "" && l != suiteFails {
			words = append(words, l)
		}
	}
	return shortened(strings.TrimPrefix(strings.Join(words, " "), "Error: ")), line
}

func shortened(message string) string {
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + " …"
	}
	return message
}
