package query

import (
	"slices"
	"strings"

	"ploke-lsp/internal/lazyregexp"
)

// report is what a text says about an error: a stack trace or a message of a compiler. Its frames are searched by their
// names, and by their places only if they are in the workspace. The words of frames are those of whoever called.
type report struct {
	text   string       // without the frames: the messages first
	frames []traceFrame // the innermost first
	names  []string     // that the messages have in quotes or brackets, or behind a word like "method"
}

// traceFrame is a function that a stack trace names.
type traceFrame struct {
	owner string // its type or module, "" if the frame does not say it
	name  string
}

var (
	// frameNames match the lines of stack traces. The first group is the name of the function. Each has a text that
	// these lines contain, because most lines of a log have none of them.
	frameNames = []struct {
		mark    string
		pattern *lazyregexp.Regexp
	}{
		// Python
		{`File "`, lazyregexp.New(`^\s*File "[^"]*", line \d+, in (\S+)$`)},
		// JVM, C#
		{"at ", lazyregexp.New(`^\s*at (?:[\w.]+/)?([\pL_$][^\s(]*\.[^\s(]+)\(`)},
		// JavaScript
		{"at ", lazyregexp.New(`^\s*at (?:async |new )?([\pL_$][^\s(]*)(?: \[as [^\]]*\])? ` +
			`\((?:[^)]*:\d+|native|<anonymous>|index \d+)\)`)},
		// without a place
		{"at ", lazyregexp.New(`^\s+at ([\pL_$][\pL\pN_$<>]*(?:[.:#]+[\pL\pN_$<>]+)+)$`)},
		// Go
		{"(", lazyregexp.New(`^(\S*\.(?:\(\*?[\w.]+\)\.)?[\w.]+)\((?:\.\.\.|\{?0x[^)]*)\)$`)},
		// Rust
		{"::", lazyregexp.New(`^\s*\d+: +(?:0x[0-9a-f]+ - )?([\pL_<].*::\S+)$`)},
		// Ruby
		{":in ", lazyregexp.New("\\d:in [`'](?:\\w+ in )*([^']+)'$")},
		// Ruby, without a place
		{"from ", lazyregexp.New(`^\s+from ([A-Z][\pL\pN_:]*[#.][\pL\pN_]+[?!]?)$`)},
		// PHP
		{"#", lazyregexp.New(`^\s*#\d+ .*(?:\(\d+\)|function\]): ([\pL_][\pL\pN_\\]*(?:(?:->|::)\w+)?)\(`)},
		// sanitizers, gdb
		{"0x", lazyregexp.New(`^\s*#\d+ +0x[0-9a-f]+ in ([\pL_~][^\s(]*)`)},
		// gdb
		{" (", lazyregexp.New(`^\s*#\d+ +([\pL_~][^\s(]*) \(.*\) (?:at|from) `)},
		// Elixir
		{"/", lazyregexp.New(`^\s*\([\w-]+ [\d.]+\) (?:\S+:\d+: )?:?([\pL_][\w.]*)/\d+`)},
	}
	// anonymous matches what stands for the name of code outside of functions, and of functions without one.
	anonymous = lazyregexp.New(`^<\w+>$`)
	// framePlace matches the second line of a frame, or a frame without a name.
	framePlace = lazyregexp.New(`^\s+(?:at (?:async )?\S+|\S*\.\w+):\d+(?::\d+)?(?: \+0x[0-9a-f]+)?$`)
	// traceHead matches the lines that only announce frames.
	traceHead = lazyregexp.New(`(?i)^\s*(?:traceback \(most|thread '[^']*' .*panicked at |` +
		`(?:php )?stack ?(?:back)?trace:|goroutine \d+ \[|note: run with|` +
		`\.\.\. \d+ (?:more|omitted)|#\d+ \{main\}|main\.main\(\)$|\d+: rust_begin_unwind$)`)
	// threadName matches what a JVM says before a message.
	threadName = lazyregexp.New(`Exception in thread "[^"]*" `)
	// libraryFrame matches the frames of standard libraries, of which no workspace has the names.
	libraryFrame = lazyregexp.New(`node:internal|<internal:|<frozen |/usr/local/go/src/|/rustc/|` +
		`/lib/python[\d.]+/\w+(?:/\w+)*\.py|` +
		`^\s*at (?:java(?:\.base)?|javax|jdk|sun|System)[./]|\bruntime\.\w+\(|: (?:core|std|alloc)::|rust_begin_unwind|` +
		`__interceptor_|\(stdlib |/libc`)
	// quotedName matches a name in quotes or brackets, one with brackets behind it, or one behind a word for its kind.
	quotedName = lazyregexp.New("[\"'`‘“\\[]" + `([\pL_$][\pL\pN_$.:#]*)(?:\(\))?["'` + "`" + `’”\]]|` +
		`\b([\pL_][\pL\pN_]*)\(\)|` +
		`(?:\bundefined:|\b(?:method|function|class|field|variable|attribute|property|constant|reference to)) ` +
		`+([\pL_][\pL\pN_.:]*)`)
)

// maxMessageNames bounds the names that are taken from messages.
const maxMessageNames = 8

// newReport returns what a text reports.
func newReport(text string) (r report) {
	if text = threadName.ReplaceAllString(text, ""); !reportsFrames(text) {
		for line := range strings.Lines(text) {
			if mayReportError(line) {
				r.addNames(line)
			}
		}
		r.text = text
		return r
	}
	var kept, code []string
	after := false // whether the line before is a frame
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRight(line, "\r")
		f, ok := newTraceFrame(line)
		switch {
		case ok && f.name != "" && libraryFrame.FindStringIndex(line) == nil:
			r.frames = append(r.frames, f)
		case ok, traceHead.MatchString(line), framePlace.MatchString(line):
			ok = ok || after
		case after && strings.HasPrefix(line, "    "):
			code = append(code, line)
		case strings.TrimSpace(line) != "":
			kept = append(kept, line)
			r.addNames(line)
		}
		after = ok
	}
	if strings.Contains(strings.ToLower(text), lastFirst) {
		slices.Reverse(r.frames)
		slices.Reverse(code)
	}
	if len(kept) > 0 { // else the frames are all that there is
		r.text = strings.Join(append(kept, code...), "\n")
	}
	return r
}

// reportsFrames quickly excludes most texts without a frame.
func reportsFrames(text string) bool {
	if !strings.Contains(text, "\n") {
		return false
	}
	for line := range strings.Lines(text) {
		if _, ok := newTraceFrame(strings.TrimRight(line, "\r\n")); ok {
			return true
		}
	}
	return false
}

// newTraceFrame returns the function of a line of a stack trace.
func newTraceFrame(line string) (f traceFrame, ok bool) {
	if len(line) > maxFrame {
		return f, false
	}
	for _, frame := range frameNames {
		if !strings.Contains(line, frame.mark) {
			continue
		}
		m := frame.pattern.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if anonymous.MatchString(m[1]) {
			return f, true
		}
		names := strings.FieldsFunc(inOneNotation(m[1]),
			func(r rune) bool { return strings.ContainsRune(`.:#/\<>(*)`, r) })
		if len(names) == 0 {
			return f, false
		}
		if f.name = names[len(names)-1]; len(names) > 1 {
			f.owner = names[len(names)-2]
		}
		return f, true
	}
	return f, false
}

// maxFrame bounds the bytes of a frame's line. Longer ones are of logs.
const maxFrame = 500

// addNames adds the names that a message has.
func (r *report) addNames(line string) {
	for _, m := range quotedName.FindAllStringSubmatch(line, maxMessageNames) {
		for _, name := range m[1:] {
			if name = strings.Trim(name, ".:"); name != "" && len(r.names) < maxMessageNames {
				r.names = append(r.names, name)
			}
		}
	}
}

// addFrames adds the functions of a trace that the workspace has. The n-th of them weighs an n-th.
func (c *corpus) addFrames(q *parsedQuery) {
	n := 0.0
	for _, f := range q.frames {
		member := strings.ToLower(f.owner + "::" + f.name)
		switch {
		case f.owner != "" && c.named([]byte(member)):
			q.addExact(f.owner+"::"+f.name, frameWeight/(n+1))
		case !c.named([]byte(strings.ToLower(f.name))):
			continue
		}
		n++
		q.addExact(f.name, frameNameWeight/n)
		q.addTerms(f.owner, frameWeight/n)
		q.addTerms(f.name, frameWeight/n)
	}
}
