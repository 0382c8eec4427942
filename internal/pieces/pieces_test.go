package pieces

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"ploke-lsp/internal/testbed"
)

// check fails the test unless text holds want, in pieces as they are promised.
func check(t *testing.T, text Text, want string) {
	t.Helper()
	if got := string(text.Bytes()); got != want || text.Len() != len(want) {
		t.Fatalf("the text has %d bytes, %q…, want %d", text.Len(), got[:min(len(got), 80)], len(want))
	}
	for i, p := range text.list {
		if p.text == "" || p != newPiece(p.text) {
			t.Fatalf("piece %d of %d bytes is counted wrong: %d breaks, %d runes", i, len(p.text), p.breaks, p.runes)
		}
		if i > 0 && (!utf8.RuneStart(p.text[0]) || p.text[0] == '\n' && strings.HasSuffix(text.list[i-1].text, "\r")) {
			t.Fatalf("piece %d begins inside a character or a line break", i)
		}
	}
}

// offsetIn is Offset in the plainest way.
func offsetIn(text string, line, column int, unit Unit) (offset int, exact bool) {
	for ; line > 0; line-- {
		end := strings.IndexAny(text[offset:], "\r\n")
		if end < 0 {
			return len(text), true
		}
		offset += end + 1
		if strings.HasPrefix(text[offset-1:], "\r\n") {
			offset++
		}
	}
	for _, r := range text[offset:] {
		if column <= 0 || r == '\r' || r == '\n' {
			break
		}
		size := utf8.RuneLen(r)
		if column -= width(r, size, unit); column < 0 {
			return offset, false
		}
		offset += size
	}
	return offset, true
}

// TestRandomChangesGiveTheSameTextAsAString makes random changes, often at the borders of
// pieces, to texts with all line breaks and with characters of all lengths.
func TestRandomChangesGiveTheSameTextAsAString(t *testing.T) {
	words := []string{"", "a", "\r", "\n", "\r\n", "é", "😀", "line\n", "x\r\ny\rz", strings.Repeat("long ", 9000), strings.Repeat("\r\n😀", 4000)}
	rounds := testbed.Count(300, 60)
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 1))
		model := strings.Repeat(words[random.IntN(len(words))], 3)
		text := New(model)
		border := func() int {
			if len(text.list) == 0 || random.IntN(2) == 0 {
				return random.IntN(len(model) + 1)
			}
			at := 0
			for _, p := range text.list[:random.IntN(len(text.list)+1)] {
				at += len(p.text)
			}
			return min(max(at+random.IntN(3)-1, 0), len(model))
		}
		for range rounds {
			start, end := border(), border()
			for start > 0 && start < len(model) && !utf8.RuneStart(model[start]) {
				start--
			}
			for end < len(model) && !utf8.RuneStart(model[end]) {
				end++
			}
			start, end = min(start, end), max(start, end)
			if end-start > 4*maxPiece {
				end = start
			}
			word := words[random.IntN(len(words))]
			model = model[:start] + word + model[end:]
			text = text.Replace(start, end, word)
			check(t, text, model)
			line, column, unit := random.IntN(strings.Count(model, "\n")+3), random.IntN(60), Unit(random.IntN(3))
			if random.IntN(4) == 0 {
				column *= 1000
			}
			offset, exact := text.Offset(line, column, unit)
			if want, wantExact := offsetIn(model, line, column, unit); offset != want || exact != wantExact {
				t.Fatalf("Offset(%d, %d, %d) = %d, %v, want %d, %v", line, column, unit, offset, exact, want, wantExact)
			}
		}
	}
}

func TestATextNeverChanges(t *testing.T) {
	first := New("one\ntwo\n")
	second := first.Replace(3, 4, " and ")
	third := second.Replace(0, 3, "")
	check(t, first, "one\ntwo\n")
	check(t, second, "one and two\n")
	check(t, third, " and two\n")
	check(t, Text{}.Replace(0, 0, "x"), "x")
	check(t, New("x").Replace(0, 1, ""), "")
}

func TestAColumnInsideACharacterIsNotExact(t *testing.T) {
	text := New("a😀b")
	for _, tt := range []struct {
		column int
		unit   Unit
		offset int
		exact  bool
	}{
		{1, UTF16, 1, true}, {2, UTF16, 1, false}, {3, UTF16, 5, true},
		{3, Bytes, 1, false}, {5, Bytes, 5, true}, {2, Runes, 5, true}, {9, Runes, 6, true},
	} {
		if offset, exact := text.Offset(0, tt.column, tt.unit); offset != tt.offset || exact != tt.exact {
			t.Errorf("Offset(0, %d, %d) = %d, %v, want %d, %v", tt.column, tt.unit, offset, exact, tt.offset, tt.exact)
		}
	}
}

// TestAChangeOfALargeTextCopiesLittle counts what a change allocates. 1,000 changes of 30 MB
// in one place must not crumble the pieces.
func TestAChangeOfALargeTextCopiesLittle(t *testing.T) {
	for name, line := range map[string]string{"short lines": strings.Repeat("x", 79) + "\n", "one line": "x", "only line breaks": "\r\n"} {
		t.Run(name, func(t *testing.T) {
			text := New(strings.Repeat(line, (30<<20)/len(line)))
			before := len(text.list)
			allocated := allocatedBytes(func() { text.Replace(15<<20, 15<<20, "y") })
			if allocated > 256<<10 {
				t.Errorf("a change of 30 MB allocates %d bytes", allocated)
			}
			for i := range 1000 {
				at := 15<<20 + i
				text = text.Replace(at, at, "y")
			}
			if after := len(text.list); after > before+2 {
				t.Errorf("1000 characters that were typed in one place made %d pieces of %d", after, before)
			}
		})
	}
}

// allocatedBytes returns how many bytes f allocates.
func allocatedBytes(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func BenchmarkType(b *testing.B) {
	for _, size := range []int{10 << 10, 1 << 20, 30 << 20} {
		b.Run(fmt.Sprintf("%d KB", size>>10), func(b *testing.B) {
			text := New(string(bytes.Repeat([]byte("func f(x int) int { return x }\n"), size/31)))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				at, _ := text.Offset(size/62, i%30, UTF16)
				text = text.Replace(at, at, "x")
			}
		})
	}
}
