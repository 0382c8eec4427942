package running

import (
	"fmt"
	"strings"

	"ploke-lsp/internal/display"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/internal/secretscan"
	"ploke-lsp/tools/wording"
)

const (
	scannedBytes = 256 << 10 // of its beginning and of its end that are scanned for secrets, at least
	errorLines   = 100       // of what is between them that are kept
	lineBytes    = 300       // of each
)

// output keeps the beginning and the end of what is written to it, and lines between them that look like errors.
// A write passes each text on to live as well, while it is short.
type output struct {
	limit   int // bytes of the beginning, and of the end at least
	live    func(text string)
	shown   int                 // bytes that live got
	plain   display.PlainStream // for live
	head    []byte
	tail    []byte
	dropped int64 // bytes between them
	errors  []string
}

// liveBytes is how much of an output people see while it is written.
const liveBytes = 256 << 10

func (o *output) Write(p []byte) (int, error) {
	if o.live != nil && o.shown < liveBytes {
		o.shown += len(p)
		if text := o.plain.Next(string(p)); text != "" {
			o.live(text)
		}
	}
	first := min(len(p), o.limit-len(o.head))
	o.head = append(o.head, p[:first]...)
	o.tail = append(o.tail, p[first:]...)
	if len(o.tail) > 2*o.limit {
		o.drop(len(o.tail) - o.limit)
	}
	return len(p), nil
}

// end passes on what was kept of the last write.
func (o *output) end() {
	if text := o.plain.End(); text != "" && o.live != nil {
		o.live(text)
	}
}

// drop drops the first n bytes of the tail, but for lines that look like errors.
func (o *output) drop(n int) {
	o.errors = appendErrors(o.errors, string(o.tail[:n]), errorLines)
	o.tail = append(o.tail[:0], o.tail[n:]...)
	o.dropped += int64(n)
}

// looksLikeError matches lines that say what went wrong, or where.
var looksLikeError = lazyregexp.New(`(?i)\b(?:errors?|err|fail(?:ed|ure|ures|s)?|fatal|panic(?:ked)?|exception|` +
	`traceback|undefined|unresolved|cannot|can't|assert\w*|expected|warning)\b|` +
	`^[^\s:]+:\d+(?::\d+)?:|^\s*(?:✗|✘|×|not ok\b)`)

// appendErrors appends the lines of a text that look like errors, up to most in all.
func appendErrors(lines []string, text string, most int) []string {
	for line := range strings.Lines(text) {
		if len(lines) >= most {
			break
		}
		line = strings.TrimRight(display.Plain(line), "\n")
		if len(line) <= lineBytes && looksLikeError.MatchString(line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// text returns what is shown of the output, about limit bytes, how many of its bytes that lacks, and the secrets in
// all that was kept. If not all fits, these are the beginning, the lines behind it that look like errors, and the end,
// each from a line's start on if there is one.
func (o *output) text(limit int) (text string, omitted int64, secrets []string) {
	all := string(o.head) + string(o.tail)
	secrets = secretscan.Secrets(display.Plain(all))
	if o.dropped == 0 && len(all) <= limit {
		return display.Plain(all), 0, secrets
	}
	end := o.headWithin(all, limit/8, secrets)
	start := o.tailWithin(all, end, limit-end, secrets)
	errors := o.errorsBetween(all, end, start, limit/4)
	if len(errors) > 0 {
		start = o.tailWithin(all, end, limit-end-limit/4, secrets)
		errors = o.errorsBetween(all, end, start, limit/4)
	}
	omitted = o.dropped + int64(start-end)
	var b strings.Builder
	b.WriteString(display.Plain(all[:end]))
	fmt.Fprintf(&b, "\n[… %s of output left out", wording.Plural(int(omitted), "byte"))
	if len(errors) > 0 {
		b.WriteString("; lines of them that look like errors:]\n" + strings.Join(errors, "\n") + "\n[")
	}
	b.WriteString("…]\n" + display.Plain(all[start:]))
	return b.String(), omitted, secrets
}

// headWithin returns where the beginning of the output ends that has at most limit bytes.
func (o *output) headWithin(all string, limit int, secrets []string) int {
	end := min(limit, len(o.head))
	if at := strings.LastIndexByte(all[:end], '\n'); at >= 0 {
		end = at + 1
	}
	_, end = secretscan.Narrow(all, 0, end, secrets)
	return end
}

// tailWithin returns where the end of the output starts that has at most limit bytes, and is behind least.
func (o *output) tailWithin(all string, least, limit int, secrets []string) int {
	start := max(len(all)-limit, least)
	if o.dropped > 0 {
		start = max(start, len(o.head))
	}
	if at := strings.IndexByte(all[start:max(start, len(all)-1)], '\n'); at >= 0 && (start > least || o.dropped > 0) {
		start += at + 1
	}
	start, _ = secretscan.Narrow(all, start, len(all), secrets)
	return start
}

// errorsBetween returns the lines of what is not shown that look like errors, of at most limit bytes.
func (o *output) errorsBetween(all string, end, start, limit int) (lines []string) {
	gap := min(max(len(o.head), end), start)
	for _, hidden := range []string{all[end:gap], strings.Join(o.errors, "\n"), all[gap:start]} {
		lines = appendErrors(lines, hidden, errorLines)
	}
	bytes := 0
	for i, line := range lines {
		if bytes += len(line) + 1; bytes > limit {
			return lines[:i]
		}
	}
	return lines
}
