package glossary

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestTranslate translates questions of five languages, with forms of words, compounds and parts of texts without
// spaces.
func TestTranslate(t *testing.T) {
	for text, want := range map[string]string{
		"wo wird die Konfiguration geladen?": "config load",
		"Verbindungsabbruch":                 "connection cancel",
		"Fehlerbehandlung der Warteschlange": "error handler queue",
		"comment les requêtes sont envoyées": "how request send",
		"¿cómo se anidan los enrutadores?":   "how nested route",
		"Java-Feld":                          "field",
		"线程什么时候会进入睡眠":                        "thread what sleep",
		"反向代理在哪里实现？":                         "reverse proxy implement",
		"設定ファイルはどこで読み込まれますか":                 "config file load",
		"エラーレスポンス":                           "error response",
		"ueberpruefen die baeume":            "check tree", // typed without umlauts
		"Loeschen der Schluessel":            "delete key",
		"busqueda":                           "search",
		"donde esta la funcion":              "function",
		"Inhaltstyp":                         "content type", // the last part is short
		"Inhaltsabc":                         "content",
		"who calls main in it":               "",
		"wo ist foo":                         "",
		"":                                   "",
	} {
		if d := cmp.Diff(want, strings.Join(English(Translate(text)), " ")); d != "" {
			t.Errorf("%q: %s", text, d)
		}
	}
}

// TestTranslationSaysWhatIsMeant of a word that means several things.
func TestTranslationSaysWhatIsMeant(t *testing.T) {
	got := Translate("archivo, estado, Loeschen")
	want := []Translation{{"archivo", []string{"file"}}, {"estado", []string{"state", "status"}}, {"loeschen", []string{"delete"}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestFunctionWords knows the words that sentences are built with, and which of them are English, too.
func TestFunctionWords(t *testing.T) {
	for word, want := range map[string][2]bool{
		"der": {true, true}, "les": {true, true}, "dónde": {true, true}, "die": {true, false}, "sin": {true, false},
		"the": {}, "datei": {}, "": {},
	} {
		if is, foreign := IsFunctionWord(word); is != want[0] || foreign != want[1] {
			t.Errorf("%q: %v, %v, want %v", word, is, foreign, want)
		}
	}
}

// TestList checks each entry: English words of code, in their order, and words that are not English.
func TestList(t *testing.T) {
	seen := map[string]bool{}
	for line := range strings.Lines(list) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		english, foreign, ok := strings.Cut(strings.TrimSpace(line), ":")
		isOdd := func(r rune) bool { return r > unicode.MaxASCII || unicode.IsSpace(r) || unicode.IsUpper(r) }
		if !ok || strings.ContainsFunc(english, isOdd) {
			t.Errorf("%q does not begin with an English word", line)
		}
		if seen[english] {
			t.Errorf("%q comes twice", english)
		}
		seen[english] = true
		languages := 0
		for word := range strings.FieldsSeq(foreign) {
			if word != strings.ToLower(word) || !utf8.ValidString(word) {
				t.Errorf("%s: %q is not in lower case", english, word)
			}
			languages++
		}
		if languages == 0 {
			t.Errorf("%s: no words", english)
		}
	}
	if len(seen) < 500 {
		t.Errorf("the list has %d entries", len(seen))
	}
}

func FuzzTranslate(f *testing.F) {
	f.Add("Verbindungsabbruch 設定ファイル")
	f.Fuzz(func(t *testing.T, text string) {
		for _, tr := range Translate(text) {
			if tr.Word == "" || len(tr.English) == 0 {
				t.Errorf("%q: %+v", text, tr)
			}
		}
	})
}
