package notebook

import "testing"

// TestHasSources compares the cells of a notebook with those of an editor.
func TestHasSources(t *testing.T) {
	nb, err := Parse([]byte(`{"cells":[{"cell_type":"markdown","source":["# A\r\n","b"]},{"cell_type":"code","source":"x"},` +
		`{"cell_type":"raw","source":[]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	prose, code, raw := Source{true, "# A\nb"}, Source{false, "x"}, Source{false, ""}
	for name, tt := range map[string]struct {
		sources []Source
		want    bool
	}{
		"the same":        {[]Source{prose, code, raw}, true},
		"another text":    {[]Source{prose, {false, "y"}, raw}, false},
		"another kind":    {[]Source{prose, {true, "x"}, raw}, false},
		"another order":   {[]Source{code, prose, raw}, false},
		"one more":        {[]Source{prose, code, raw, raw}, false},
		"one less":        {[]Source{prose, code}, false},
		"prose to code":   {[]Source{{false, "# A\nb"}, code, raw}, false},
		"a line end more": {[]Source{prose, {false, "x\n"}, raw}, false},
	} {
		if got := nb.HasSources(tt.sources); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
