package display

import (
	"strings"
	"testing"
	"time"
)

// TestPlain takes sequences out of a text that comes whole, and cut at each byte.
func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"\x1b[1;31mred\x1b[0m and":                          "red and",
		"\x1b]0;a title\atext":                              "text",
		"\x1b]8;;https://x.example\x1b\\link\x1b]8;;\x1b\\": "link",
		"\x1bP1;2q#0\x1b\\after":                            "after",
		"\x1b(Bbold\x1b[m\x0f\x1b7\x1b=\x1b>":               "bold",
		"\x1b[38:2::1:2:3mx\x1b[?25l\x1b[2 q":               "x",
		"\x1b]0;without an end\nnext":                       "\nnext",
		"\x1b[3\nnext":                                      "\nnext",
		"\x1b\nnext":                                        "\nnext",
		"\x1bénext":                                         "énext",
		"line\r\n10%\r20%\a\n":                              "line\n10%20%\n",
		"größer 日 😀":                                        "größer 日 😀",
		"\xff\xfe a \xe2\x82":                               "\ufffd a \ufffd",
		"cut \x1b[3":                                        "cut ",
		"cut \x1b":                                          "cut ",
		"tab\tand\x00":                                      "tab\tand\x00",
		"":                                                  "",
	} {
		if got := Plain(text); got != want {
			t.Errorf("%q reads %q, want %q", text, got, want)
		}
		for size := 1; size <= 3; size++ {
			var s PlainStream
			var got strings.Builder
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				got.WriteString(s.Next(rest[:n]))
				rest = rest[n:]
			}
			got.WriteString(s.End())
			// Of invalid bytes that come in several pieces, each is replaced.
			if squeezed := strings.ReplaceAll(got.String(), "\ufffd\ufffd", "\ufffd"); squeezed != want {
				t.Errorf("%q in pieces of %d reads %q, want %q", text, size, got.String(), want)
			}
		}
	}
}

// TestPlainIsLinear has sequences that never end, each byte by itself.
func TestPlainIsLinear(t *testing.T) {
	for _, text := range []string{strings.Repeat("\x1b", 4<<20), "\x1b]" + strings.Repeat("x", 4<<20), strings.Repeat("\x1b[", 2<<20)} {
		began := time.Now()
		if got := Plain(text); len(got) > 4<<20 {
			t.Errorf("%d bytes", len(got))
		}
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%d bytes of %q took %v", len(text), text[:4], took)
		}
	}
	var s PlainStream
	s.Next("\x1b]")
	shown := 0
	for range 1 << 16 {
		shown += len(s.Next("x"))
	}
	if shown < 1<<15 {
		t.Errorf("after a sequence without an end %d bytes are shown", shown)
	}
}
