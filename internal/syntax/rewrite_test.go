package syntax

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ploke-lsp/internal/testbed"
)

// TestRewritesKeepPlaces rewrites texts of odd pieces: offsets and lines stay, whatever is not closed.
func TestRewritesKeepPlaces(t *testing.T) {
	pieces := map[string]string{
		"rust": `cfg_if!·{·}·{·}·if #[cfg(unix)] {·} else {·else·static ref X: u8 = 1;·pub fn f() {}·r#"·"#·"·'·'a·'{'·/*·*/·//·\·b'·br"·a!{·é·=·fn`,
		"c":    `#if 0·#ifdef X·#else·#elif Y·#endif·#define M(x) \·{·}·(·)·"·'·/*·*/·//·\·int f(void) {·=·;·#·é·x`,
		"cpp":  `UMETA(·UPROPERTY()·enum class·{·}·"·'·)·(·,·#if 1·#endif·#else·TEST_CASE("a")·API_X·class·:·é`,
		"kotlin": `class A {·}·{·object·val v = 1·fun f() = 2·"·context(·context(A) fun g()·)·//·;·interface·é·enum class·@A ` +
			`@Bcd class C {` +
			`·fun interface X`,
		"php": `case·class·{·}·"·const·=·;·$x`, "scala": `given·class·{·}·"·:·extension`, "csharp": `record·class·{·}·"·;·=>`,
		"lua": `goto·function·end·"·--[[·]]`, "bash": `@test·"·{·}·<<EOF·EOF`,
	}
	random := rand.New(rand.NewPCG(3, 4))
	for language, words := range pieces {
		g, parts := grammars[language](), strings.Split(words, "·")
		for range testbed.Count(2000, 500) {
			var b strings.Builder
			for range random.IntN(16) {
				b.WriteString(parts[random.IntN(len(parts))])
				b.WriteString([]string{" ", "\n", "", "\r\n", "\\\n", "\n"}[random.IntN(6)])
			}
			before := b.String()
			after := string(g.rewritten([]byte(before)))
			if len(after) != len(before) || lineEnds(after) != lineEnds(before) {
				t.Fatalf("%s: %q becomes %q", language, before, after)
			}
		}
	}
}

// lineEnds returns a text with all but its line ends blanked out.
func lineEnds(text string) string {
	b := []byte(text)
	blankOut(b)
	return string(b)
}
