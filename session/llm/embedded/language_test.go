package embedded

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ploke-lsp/session/llm/embedded/lexicon"
)

// TestOtherLanguages says which questions are taken for one in another language, and what is searched for them.
func TestOtherLanguages(t *testing.T) {
	tests := []struct {
		message string
		other   bool
		words   []string
	}{
		{"wo wird die Konfiguration gelesen?", true, []string{"Konfiguration", "gelesen"}},
		{"Welche Funktion ruft flushJobs auf? Und wo ist sie?", true, []string{"flushJobs"}},
		{"où est la fonction qui lit le fichier?", true, []string{"lit", "fichier"}},
		{"¿dónde se implementa el virtual DOM? ¿qué hace?", true, []string{"implementa", "virtual", "DOM"}},
		{"反向代理在哪里实现？", true, nil},
		{"ReverseProxy 在哪里实现的呢？这里面的代码是怎么工作的", true, []string{"ReverseProxy"}},
		{"設定ファイルはどこで読み込まれますか", true, nil},
		{"¿quién llama a mergeSetting", true, []string{"llama", "mergeSetting"}},
		{"quién llama a mergeSetting", true, []string{"llama", "mergeSetting"}},
		{"von wem wird flushJobs gerufen", true, []string{"wem", "flushJobs", "gerufen"}},
		{"where is the config read?", false, nil},
		{"how does die() end the program?", false, nil},
		{"what does `está` mean", false, nil},
	}
	for _, tt := range tests {
		_, other := parseInstruction(tt.message).(inOtherLanguage)
		if other != tt.other {
			t.Errorf("%q: %v", tt.message, other)
		}
		if d := cmp.Diff(tt.words, lexicon.CodeWords(tt.message)); other && d != "" {
			t.Errorf("%q: %s", tt.message, d)
		}
	}
}

// TestWhatEverybodyAsksInOtherLanguages asks what is answered by a rule in English, too.
func TestWhatEverybodyAsksInOtherLanguages(t *testing.T) {
	tests := []struct {
		message string
		want    instruction
	}{
		{"Wie führe ich die Tests aus?", howTo{"test"}},
		{"¿cómo se ejecutan las pruebas?", howTo{"test"}},
		{"如何运行测试？", howTo{"test"}},
		{"comment compiler le projet ?", howTo{"build"}},
		{"プロジェクトのライセンスは何ですか", fact{"license"}},
		{"Wer hat das geschrieben und wo?", past{about: "authors"}},
		{"¿quién llama a flushJobs?", relation{target{name: "flushJobs"}, "callers", true}},
		{"这个项目是什么？", overview{}},
		{"wo wird die Konfiguration geladen?", nil},
	}
	for _, tt := range tests {
		if _, other := parseInstruction(tt.message).(inOtherLanguage); !other {
			t.Errorf("%q is understood as %T", tt.message, parseInstruction(tt.message))
		}
		got := askedByEverybody("", lexicon.Translate(tt.message), lexicon.CodeWords(tt.message))
		if d := cmp.Diff(tt.want, got, cmp.AllowUnexported(howTo{}, fact{}, past{}, target{}, relation{}, overview{})); d != "" {
			t.Errorf("%q: %s", tt.message, d)
		}
	}
}
