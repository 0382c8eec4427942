package o200k

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"flag"
	"os"
	"testing"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

var update = flag.Bool("update", false, "write the built-in vocabulary")

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

func TestTheVocabularyIsThePublishedOne(t *testing.T) {
	published := publishedTokens(t)
	if *update {
		if err := os.WriteFile("o200k_base.deflate", pack(t, published), 0o644); err != nil {
			t.Fatal(err)
		}
		return // this program has the old one
	}
	v := builtin()
	if len(v.ends) != len(published) {
		t.Fatalf("there are %d tokens, %d are published", len(v.ends), len(published))
	}
	for rank, token := range published {
		if got := v.token(uint32(rank)); got != string(token) || v.rank(got) != uint32(rank) {
			t.Fatalf("token %d is %q with the rank %d, want %q", rank, got, v.rank(got), token)
		}
	}
}

// TestTheShortestPieces compares the direct counts of the shortest pieces with those of any piece.
func TestTheShortestPieces(t *testing.T) {
	v := builtin()
	for first := range 256 {
		if one := string([]byte{byte(first)}); countCommonPiece(one) != v.countPairs(one) {
			t.Fatalf("%q has %d tokens", one, countCommonPiece(one))
		}
		for second := range 256 {
			if two := string([]byte{byte(first), byte(second)}); countCommonPiece(two) != v.countPairs(two) {
				t.Fatalf("%q has %d tokens", two, countCommonPiece(two))
			}
		}
	}
}
