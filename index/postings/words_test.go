package postings_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/index/postings"
)

func TestWords(t *testing.T) {
	var got []string
	postings.Words([]byte("a.b_c(\"naïve\xff\",日本) \x00x9 nai\u0308f हिन्दी ❤\ufe0f २०२४ 二〇"),
		func(at int, word []byte) {
			got = append(got, fmt.Sprintf("%d:%s", at, word))
		})
	if diff := cmp.Diff([]string{"0:a", "2:b_c", "7:naïve", "16:日本", "25:x9", "28:nai\u0308f", "35:हिन्दी", "61:२०२४", "74:二〇"}, got); diff != "" {
		t.Errorf("words differ (-want +got):\n%s", diff)
	}
}
