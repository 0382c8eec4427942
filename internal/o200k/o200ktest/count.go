// Package o200ktest counts tokens with a library that applies the vocabulary's regular
// expression itself. It is slow, and tests compare against it.
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

// Count returns the number of o200k_base tokens of a text. It takes time quadratic in the
// length of a word.
func Count(text string) int { return len(library().EncodeOrdinary(text)) }
