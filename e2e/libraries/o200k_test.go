package libraries

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/pkoukk/tiktoken-go-loader/assets"

	"ploke-lsp/internal/o200k"
)

var update = flag.Bool("update", false, "write the vocabulary and the counts of internal/o200k")

// publishedTokens returns the tokens of the published file by rank. It has a line for each, with the
// token in base64.
func publishedTokens(t *testing.T) (tokens [][]byte) {
	t.Helper()
	file, err := assets.Assets.ReadFile("o200k_base.tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(file) {
		encoded, _, _ := bytes.Cut(line, []byte(" "))
		token, err := base64.StdEncoding.AppendDecode(nil, encoded)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	return tokens
}

func pack(t *testing.T, tokens [][]byte) []byte {
	t.Helper()
	unpacked := binary.AppendUvarint(nil, uint64(len(tokens)))
	for _, token := range tokens {
		if len(token) > 255 {
			t.Fatalf("the length of %q does not fit into a byte", token)
		}
		unpacked = append(unpacked, byte(len(token)))
	}
	unpacked = append(unpacked, bytes.Join(tokens, nil)...)
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(unpacked); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestTheVocabularyIsThePublishedOne compares the file that the program is built with.
func TestTheVocabularyIsThePublishedOne(t *testing.T) {
	const builtin = "../../internal/o200k/o200k_base.deflate"
	packed := pack(t, publishedTokens(t))
	if *update {
		if err := os.WriteFile(builtin, packed, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(builtin)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := unpack(t, file), unpack(t, packed); !bytes.Equal(got, want) {
		t.Errorf("%s has %d bytes, unpacked, which are not the %d of the published tokens", builtin, len(got), len(want))
	}
}

func unpack(t *testing.T, packed []byte) []byte {
	t.Helper()
	unpacked, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	return unpacked
}

// library applies the regular expression of the vocabulary itself, and is slow.
var library = sync.OnceValue(func() *tiktoken.Tiktoken {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	t, err := tiktoken.GetEncoding(tiktoken.MODEL_O200K_BASE)
	if err != nil {
		panic(err)
	}
	return t
})

// libraryCount returns the number of tokens of a text. It takes time quadratic in the length of a word.
func libraryCount(text string) int { return len(library().EncodeOrdinary(text)) }

func checkCount(t *testing.T, text string) {
	t.Helper()
	if got, want := o200k.Count(text), libraryCount(text); got != want {
		t.Fatalf("%d tokens, want %d: %.300q", got, want, text)
	}
}

// TestCountOfCode compares the counts of real code with the library's, as plain text and
// as JSON.
func TestCountOfCode(t *testing.T) {
	for _, dir := range []string{filepath.Join(runtime.GOROOT(), "src", "net"), "/usr/lib/python3/dist-packages", "/usr/include"} {
		files := 0
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || files == 12 {
				return nil
			}
			text, err := os.ReadFile(path)
			if err != nil || len(text) == 0 || strings.ContainsRune(string(text), 0) {
				return err
			}
			files++
			part := strings.ToValidUTF8(string(text[:min(len(text), 2<<10)]), "")
			checkCount(t, part)
			quoted, err := json.Marshal(part)
			checkCount(t, string(quoted))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// unusual are texts whose counts internal/o200k has in a file, for its own test.
var unusual = []string{
	"", " ", "\n", "a", "don'T'VE x's'", "foo'sbar", "HTTPServer'S", "  \n\t x", "\t\t\n ", "a  b", "((x", " (x",
	"x/\n/\n\ny", "1234567", " 1", "\t1", "\v\fx", "\x00\x1fx", "\r\n\r\n\tfoo", "é à", "日本語 text",
	"x \u00a0y", "a\u0301b", "🙂 ok", "cut…\"}", "…x…", " …x", "“it”'s", "→→ a—b", "x\ufffdy",
	"x\xffy…", "…\n\n/", "\n \n", "\n\t\nx", "x \n \n y", "ABǅe", "AªB", "A\u0301BC", "\u0301AB", "(\u0301",
	"x\u2028 \u2028y", "١٢٣٤", "ⅧⅧ", "a\u00a0\u00a0b", "über'S ÄRA's", "Straße", "ДА'll",
	"हिन्दी", "x\n1", "\n\n12 a", " \n 1", "(\n34", "é\n5", "//\n1/\n",
}

// TestCountOfUnusualTexts compares the counts of texts with the library's, and with those in the file.
func TestCountOfUnusualTexts(t *testing.T) {
	const file = "../../internal/o200k/testdata/counts.txt"
	var want strings.Builder
	for _, text := range unusual {
		checkCount(t, text)
		fmt.Fprintf(&want, "%d %s\n", libraryCount(text), strconv.QuoteToASCII(text))
	}
	if *update {
		if err := os.WriteFile(file, []byte(want.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want.String() {
		t.Errorf("%s has other texts or counts (%v); -update writes it", file, err)
	}
}

// TestCountOfAnything compares the counts of random texts.
func TestCountOfAnything(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		checkCount(t, anything(random, 20))
	}
}

// anything returns a random text of fewer than length characters.
func anything(random *rand.Rand, length int) string {
	const letters = "aaazZQ'std 09  \t\n\r(\"/\\.\x01_é日……→\u00a0ÄªǅЖ\u0301٣"
	alphabet := []rune(letters)
	var b strings.Builder
	for range random.IntN(length) {
		b.WriteRune(alphabet[random.IntN(len(alphabet))])
	}
	return b.String()
}

// TestCountOfLongRuns counts texts that take the library very long. The counts are within
// the error that [o200k.Count] names.
func TestCountOfLongRuns(t *testing.T) {
	for _, run := range []string{" ", "\n ", "=", "x", "é", "日本"} {
		text := strings.Repeat(run, (2<<10)/len(run))
		want := libraryCount(text)
		if got := o200k.Count(text); got < want || got > want+len(text)/(1<<10)+1 {
			t.Errorf("%q: %d tokens, want %d", run, got, want)
		}
		o200k.Count(strings.Repeat(run, (64<<10)/len(run)))
	}
}
