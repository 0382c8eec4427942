package workspace

import "bytes"

const (
	sampleBytes   = 8000 // as many as git samples to detect binary files
	longLine      = 1000 // in bytes; people don't write such lines
	minifiedBytes = 4096 // shorter texts do no harm
)

// Classify returns Binary, Secret or Minified depending on a file's content, or "" for text
// that is worth indexing.
func Classify(text []byte) Skip {
	if binary(text[:min(len(text), sampleBytes)]) {
		return Binary
	}
	if holdsCredentials(text) {
		return Secret
	}
	if len(text) >= minifiedBytes && minified(text) {
		return Minified
	}
	return ""
}

// binary reports whether a sample has a NUL byte, or more control characters than text in
// any encoding that extends ASCII.
func binary(sample []byte) bool {
	controls := 0
	for _, c := range sample {
		switch {
		case c == 0:
			return true
		case c < ' ' && (c < '\b' || c > '\r') && c != 0x1b:
			controls++
		}
	}
	return controls*50 > len(sample)
}

// minified reports whether more than half of the text is in long lines.
func minified(text []byte) bool {
	inLong := 0
	for rest := text; len(rest) > 0; {
		n := bytes.IndexByte(rest, '\n') + 1
		if n == 0 {
			n = len(rest)
		}
		if n > longLine {
			inLong += n
		}
		rest = rest[n:]
	}
	return inLong*2 > len(text)
}
