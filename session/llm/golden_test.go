package llm

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata/readings")

// Values are values of each type of JSON, and words of the protocols.
var Values = []string{`"x"`, `""`, `null`, `"7"`, `7`, `7.0`, `7.5`, `1e3`, `-1`, `99999999999999999999`, `true`, `false`,
	`{}`, `{"a":1}`, `[]`, `["a"]`, `[{}]`, `"\u0041\ud83d\ude00\"\\\n"`, `"\ud800"`, `"größe"`, `"stop"`, `"tool_calls"`}

// CompareReadings compares what is read of each form with each value in it with the golden file of this name. There, under
// a form, stands what is read, and with which values. The first state of the files is what the providers' own libraries
// read.
func CompareReadings(t *testing.T, name string, forms, values []string, read func(form, value string) string) {
	t.Helper()
	var got strings.Builder
	for _, form := range forms {
		fmt.Fprintf(&got, "%s\n", form)
		var readings []string
		of := map[string][]string{}
		for _, value := range values {
			reading := read(form, value)
			if of[reading] == nil {
				readings = append(readings, reading)
			}
			of[reading] = append(of[reading], value)
		}
		for _, reading := range readings {
			fmt.Fprintf(&got, "\t%s\t<- %s\n", reading, strings.Join(of[reading], " "))
		}
	}
	compareGolden(t, name, got.String())
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "readings", name+".txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
		t.Errorf("%s\nif it is right, run go test ./session/llm -update", d)
	}
}
