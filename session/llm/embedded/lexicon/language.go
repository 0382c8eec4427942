package lexicon

import (
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/internal/lazyregexp"
)

// foreign are frequent words of questions in German, French and Spanish that English does not have.
var foreign = SetOf(`wo wie wer welche welcher welches wird werden ist sind der das und nicht eine einen gibt ` +
	`vom zum zur beim ` +
	`macht dieses projekt funktion warum wofür
	où comment quel quelle quels quelles est sont les une cette fait pourquoi projet fonction dans quoi
	auf ruft rufen aus mit ein benutzt verwendet ich wurde wurden kann können muss zeige zuletzt hier diese dieser
	je nous vous peut ils elle elles quand du des que qui la le
	dónde donde cómo qué cuál quién está esta este los las una por para hace función proyecto quien cuándo ` +
	`puedo hay son el del se en de`)

// fillers are further ones, which code or English may have, too.
var fillers = SetOf(`die dem den des einer bei von vor zum zur man sie auch funktion datei eines einem einer
	dessen deren dort sur avec par pour son
	ses con sin fue ser sus fonction función`)

// OtherLanguage reports whether a message is hardly in English: half of its letters are not, or two of its words, or it
// begins as Spanish does.
func OtherLanguage(message string) bool {
	letters, other := 0, 0
	for _, r := range message {
		if unicode.IsLetter(r) {
			letters++
			if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Cyrillic) {
				other++
			}
		}
	}
	if other*2 > letters || other >= 4 || strings.ContainsAny(message, "¿¡") {
		return true
	}
	words := strings.FieldsFunc(strings.ToLower(inQuotes.ReplaceAllString(message, " ")), func(r rune) bool {
		return !unicode.IsLetter(r)
	})
	sure, more := 0, 0
	for _, w := range words {
		switch {
		case foreign[w] && len(w) > len([]rune(w)): // with an accent, which English lacks
			sure += 2
		case foreign[w]:
			sure++
		case fillers[w]:
			more++
		}
	}
	return sure >= 2 || sure == 1 && more > 0
}

var inQuotes = lazyregexp.New("`[^`]*`|\"[^\"]*\"")

// commonVerbs are frequent words of German, French and Spanish that English or code may have, too, and by which no
// code is found: verbs, and what stands between words.
var commonVerbs = SetOf(`heißt heißen machen geht gehen kommt kommen passiert funktioniert funktionieren findet
finde finden
	befindet steht stehen geben sagt nimmt nehmen hat haben hatte soll sollte sollen darf braucht brauche will wollen könnte
	bekommt bekomme lässt lassen tut tun bedeutet dann wenn falls mehr alle aller jeder jede jedes kein keine nur noch schon
	sehr viel viele welchem welchen beim als oder aber sich ihr ihre sein seine über unter nach durch für gegen ohne
	nochmal erneut entschieden entscheidet gemacht verantwortlich genau eigentlich etwas etwa
	faire trouve trouver trouvent peuvent doit doivent marche fonctionne passe lorsque mais donc tous toutes tout sans sous
	entre chaque leur leurs ces cet aux plus moins très aussi comme avoir être ont sera été combien arrive faut responsable
	hacer puede pueden debe deben tiene tienen funciona pasa ocurre encuentra están estar haber cuando pero todos todas todo
	sin sobre cada esto eso más menos muy también como cuántos cuántas cuáles desde hasta sucede permite`)

// CodeWords returns the words of a message in another language by which code may be found: those of Latin letters that
// are no frequent words of the language.
func CodeWords(message string) (words []string) {
	for _, w := range strings.FieldsFunc(message, func(r rune) bool {
		return !(unicode.Is(unicode.Latin, r) || unicode.IsDigit(r) || r == '_')
	}) {
		if len(w) >= 3 && !foreign[strings.ToLower(w)] && !fillers[strings.ToLower(w)] &&
			!commonVerbs[strings.ToLower(w)] && !Common[strings.ToLower(w)] &&
			!slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}
