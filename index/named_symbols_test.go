package index_test

import (
	"slices"
	"strings"
	"testing"

	"ploke-lsp/index"
)

// zoo has symbols with names that are also words, and namesakes.
var zoo = map[string]string{
	"zoo/animal.go":  "package zoo\n\ntype Animal struct{}\n\nfunc (a Animal) Feed() {}\n\nfunc Visit(a Animal) {}\n\nfunc animalCount() int { return 1 }\n",
	"zoo/keeper.go":  "package zoo\n\ntype Keeper struct{}\n\nfunc (k Keeper) Feed() {}\n",
	"farm/visit.py":  "def visit(animal):\n    return animal\n\n\ndef open_gate():\n    return visit(None)\n\n\nclass Animal:\n    def feed(self):\n        return 1\n",
	"farm/parse.c":   "int c(int animal) { return animal; }\n",
	"farm/animal.ts": "export const $animal = (x: number) => x;\n",
	"src/lib.rs":     "pub struct Gate;\n\nimpl Gate {\n    pub fn close(&self) -> bool { true }\n}\n",
	"README.md":      "# Visit\n\nAn animal waits.\n\n## Feeding\n\nFeed the animal.\n",
}

// named returns the symbols that a text names.
func (p *project) named(text string) (canons []string) {
	p.t.Helper()
	found, err := p.index.Named(p.t.Context(), index.NamesIn(text))
	if err != nil {
		p.t.Fatal(err)
	}
	for _, u := range slices.Concat(found...) {
		canons = append(canons, u.Rel+" "+u.Canon)
	}
	slices.Sort(canons)
	return canons
}

func TestSymbolsThatATextNames(t *testing.T) {
	p := open(t, zoo)
	p.update()
	const goVisit, pyVisit, goAnimal, pyAnimal = "zoo/animal.go Visit", "farm/visit.py visit", "zoo/animal.go Animal", "farm/visit.py Animal"
	for text, want := range map[string][]string{
		"how is an animal fed at the gate?":          nil,
		"visit the animal, then open the gate":       nil,
		"Feed the animal":                            nil, // it begins a sentence
		"Visit":                                      {goVisit},
		"what does Visit show?":                      {goVisit},
		"what does `visit` do?":                      {pyVisit},
		"what does 'visit' do?":                      {pyVisit},
		"what does visit() do?":                      {pyVisit},
		"what does #visit do?":                       {pyVisit},
		"VISIT is wrong":                             nil,
		"change open_gate":                           {"farm/visit.py open_gate"},
		"why is animalCount 1?":                      {"zoo/animal.go animalCount"},
		"and Animal.Feed":                            {"zoo/animal.go Animal::Feed"},
		"and Keeper::Feed()":                         {"zoo/keeper.go Keeper::Feed"},
		"and (*Keeper).Feed":                         {"zoo/keeper.go Keeper::Feed"},
		"and k.Feed":                                 {"zoo/animal.go Animal::Feed", "zoo/keeper.go Keeper::Feed"},
		"and zoo.Animal":                             {goAnimal},
		"and visit.visit":                            {pyVisit},
		"is an Animal one?":                          {pyAnimal, goAnimal},
		"compare Visit, open_gate and Keeper.Feed":   {"farm/visit.py open_gate", goVisit, "zoo/keeper.go Keeper::Feed"},
		"is `animal` a function?":                    {"farm/animal.ts $animal"},
		"the gate in farm/visit.py and in parse.c":   nil,
		"explain zoo/animal.go":                      nil,
		"is Gate::close right, or <Gate>::close?":    {"src/lib.rs Gate::close"},
		"who closes a Gate?":                         {"src/lib.rs Gate"},
		"see Feeding":                                nil, // a heading
		"Animal(s) and file(s)":                      nil,
		"an animal needs `nothingOfThatName` to eat": nil,
	} {
		if got := p.named(text); !slices.Equal(got, want) {
			t.Errorf("%q names\n%s\nwant\n%s", text, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}
