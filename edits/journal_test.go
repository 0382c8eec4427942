package edits

import (
	"encoding/json"
	"testing"
)

// TestStoredNames reads and writes a journal entry and a change as earlier versions stored
// them: a database outlives the program's identifiers.
func TestStoredNames(t *testing.T) {
	const entry = `{"Plan":{"Files":[{"Op":"create","Path":"/r/n","To":"","Version":null,"Before":null,"After":null,` +
		`"Edits":[{"start":0,"end":0,"new":"x"}],"Hunks":["1"],"Done":false,"BOM":true,"Mode":420,` +
		`"Made":["/r/new"],"Left":["/r/old"],"Old":"hash"}],` +
		`"Into":"undone","Remade":[{"Op":"edit","Path":"/r/n","To":"","BaseHash":"hash",` +
		`"BaseVersion":null,"Hunks":null,"Problems":null,"Made":["/r/new"]}]},` +
		`"Steps":[{"Op":"create","Path":{"Root":"/r","Name":"n"},"To":{"Root":"","Name":""},"Old":"","New":"hash",` +
		`"After":{"Root":"/r","Name":".t"},"Before":{"Root":"","Name":""},"Made":[{"Root":"/r","Name":"new"}],"File":2}]}`
	var e journalEntry
	if err := json.Unmarshal([]byte(entry), &e); err != nil {
		t.Fatal(err)
	}
	if got, err := json.Marshal(e); err != nil || string(got) != entry {
		t.Errorf("it is written as\n%s, %v\nwant\n%s", got, err, entry)
	}
	f, r := e.Plan.Files[0], e.Steps[0]
	if e.Plan.Target != Undone || e.Plan.Redone[0].CreatedDirs == nil || f.CreatedDirs == nil || f.EmptiedDirs == nil || f.Old != "hash" ||
		r.CreatedDirs == nil || r.File != 2 {
		t.Errorf("it is read as %+v", e)
	}
}
