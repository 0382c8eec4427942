// Package o200ktest counts tokens with a library that goes by the vocabulary's regular
// expression itself: slowly, for tests to compare with.
package o200ktest

import (
	"sync"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
)

var library = sync.OnceValue(func() *tiktoken.Tiktoken {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	t, err := tiktoken.GetEncoding(tiktoken.MODEL_O200K_BASE)
	if err != nil {
		panic("o200ktest: " + err.Error())
	}
	return t
})

// Count is how many tokens of o200k_base a text has. It takes time quadratic in the length of
// a word.
func Count(text string) int { return len(library().EncodeOrdinary(text)) }
