package lexicon

import "testing"

func TestChangesOfValues(t *testing.T) {
	for message, want := range map[string]ValueChange{
		"change the default concurrency of Ring from 25 to 10":   {"default concurrency of Ring", "25", "10"},
		"please set the max number of hops to 8.":                {"max number of hops", "", "8"},
		"Can you raise the wheel timeout from 30s to 60s?":       {"wheel timeout", "30s", "60s"},
		"make the default shape \"round\" instead of \"square\"": {"default shape", "square", "round"},
		"set strict to false":                                    {"strict", "", "false"},
		"bump the limit to 8":                                    {"limit", "", "8"},
	} {
		if got, ok := ValueChangeOf(message); !ok || got != want {
			t.Errorf("%s: %v, %+v", message, ok, got)
		}
	}
	for _, message := range []string{"change foo to bar", "rename X to Y", "move 3 to a.go", "set up the project", "change how rings work", "set x from 4 to 4"} {
		if got, ok := ValueChangeOf(message); ok {
			t.Errorf("%s: %+v", message, got)
		}
	}
	tests := []struct {
		line, name, value, from, want string
	}{
		{"  'max' => 5, // 5", "max", "5", "5", "  'max' => 8, // 5"},
		{"wait = Duration::from_secs(5);", "wait", "Duration::from_secs(5)", "5", "wait = Duration::from_secs(8);"},
		{"f5(int max5 = 5)", "max5", "5", "", "f5(int max5 = 8)"},
		{"max = 5 * 5", "max", "5 * 5", "5", ""},
		{"m: float64(5),", "m", "float64(5)", "", "m: float64(8),"},
		{"max = 6", "max", "6", "5", ""},
	}
	for _, tt := range tests {
		got, _ := ValueChange{From: tt.from, To: "8"}.In(tt.line, Given{Name: tt.name, Value: tt.value})
		if got != tt.want {
			t.Errorf("%q: %q, want %q", tt.line, got, tt.want)
		}
	}
}
