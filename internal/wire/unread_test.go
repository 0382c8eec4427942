package wire

import (
	"slices"
	"strings"
	"testing"
)

func TestTheEndsOfAnUnreadBodyAreKept(t *testing.T) {
	body := strings.Repeat("a", endBytes) + strings.Repeat("b", 3*endBytes) + strings.Repeat("c", endBytes)
	for _, step := range []int{1, 7, endBytes - 1, endBytes, endBytes + 1, len(body)} {
		var u Unread
		for part := range slices.Chunk([]byte(body), step) {
			u.add(part)
		}
		if string(u.Head) != body[:endBytes] || string(u.Tail) != body[len(body)-endBytes:] {
			t.Errorf("in steps of %d, the ends are %.9q… and %.9q…", step, u.Head, u.Tail)
		}
	}
}
