package lexicon

import "testing"

func TestPeriods(t *testing.T) {
	for message, want := range map[string]Period{
		"what changed in the last couple of weeks":     {Since: "14d"},
		"what changed over the past few days?":         {Since: "3d"},
		"commits of the last 2 months":                 {Since: "62d"},
		"what happened in the last fortnight":          {Since: "14d"},
		"what did we do this month":                    {Since: "month"},
		"what changed today":                           {Since: "day"},
		"what was merged yesterday":                    {"1d", "1d"},
		"changes since last Friday":                    {Since: "friday"},
		"what changed since v1.2":                      {Since: "v1.2"},
		"what has changed since 2024-03-01":            {Since: "2024-03-01"},
		"what changed since a week ago":                {Since: "7d"},
		"what is new since the last release":           {Since: "release"},
		"what changed since the last tag":              {Since: "release"},
		"what changed between v1.1 and v1.2":           {"v1.1", "v1.2"},
		"commits from 2024-01-01 to 2024-02-01":        {"2024-01-01", "2024-02-01"},
		"what was changed in march 2024":               {"2024-03", "2024-03"},
		"what changed in 2023":                         {"2023", "2023"},
		"commits until 2023-05":                        {Until: "2023-05"},
		"what changed since the beginning of the year": {Since: "year"},
		"how long does the timeout last":               {},
		"what is the difference between v1 and v2":     {},
		"where is the last week of a month calculated": {},
		"what happens when a token is older than last": {},
		"what changed recently":                        {},
	} {
		if got, _, ok := PeriodOf(message); got != want || ok != (want != Period{}) {
			t.Errorf("%q: %+v, want %+v", message, got, want)
		}
	}
	if got := (Period{"friday", ""}).Said("2026-11-27", ""); got != "since 2026-11-27" {
		t.Error(got)
	}
	if got := (Period{"1d", "1d"}).Said("2026-11-28", "2026-11-28"); got != "of 2026-11-28" {
		t.Error(got)
	}
	if got := (Period{"v1", "v2"}).Said("", ""); got != "between v1 and v2" {
		t.Error(got)
	}
}

func TestPlaces(t *testing.T) {
	for message, want := range map[string]struct {
		path, rest string
		sure       bool
	}{
		"list the TODOs, but only in gson/src/main": {"gson/src/main", "list the TODOs", true},
		"TODOs under lib": {"lib", "TODOs", false},
		"are there functions in a/b.py that nobody uses?": {"a/b.py", "are there functions that nobody uses", true},
		"grep foo just in the docs folder":                {"docs", "grep foo", true},
		"unused code of the package com.a.b":              {"com/a/b", "unused code", true},
		"how many lines of rust are there":                {},
		"list the TODOs of the project":                   {},
		"what is in it":                                   {},
	} {
		got, rest, ok := PlaceOf(message)
		if got.Path != want.path || rest != want.rest || got.Sure != want.sure || ok != (want.path != "") {
			t.Errorf("%q: %+v, %q, want %+v", message, got, rest, want)
		}
	}
	for message, want := range map[string]bool{"are there functions that nobody uses": true, "dead code": true,
		"what is never called": true, "which methods have no callers": true, "who uses it": false, "which code calls nobody": false} {
		if AsksUnused(message) != want {
			t.Errorf("unused: %q", message)
		}
	}
	for message, want := range map[string]string{"what does a/b.py import": "a/b.py", "list the imports in b.go": "b.go",
		"which imports are in a/b.go?": "a/b.go", "what does the parser import": ""} {
		if got := ImportsIn(message); got != want {
			t.Errorf("imports: %q: %q", message, got)
		}
	}
	for message, want := range map[string]string{"what can I import from typer": "typer", "which names does the x package export?": "x",
		"what is exported by rayon-core": "rayon-core", "public api of foo": "foo", "what does it export": "", "how does export work": ""} {
		if got, _ := ExportsOf(message); got != want {
			t.Errorf("exports: %q: %q", message, got)
		}
	}
}

func TestOrdinaryWordsAreMended(t *testing.T) {
	for message, want := range map[string]string{
		"what hapens when it exits befor the timer": "what happens when it exits before the timer",
		"Wich functoin is calld first?":             "which function is called first?",
		"how are requierd options checked":          "how are required options checked",
		"what does `befor` do":                      "what does `befor` do",
		"grep hapens in a":                          "grep hapens in a",
		"please rename wich to which":               "please rename wich to which",
		"what do the crate and the handlers share":  "what do the crate and the handlers share",
		"where are sparse matrices shown":           "where are sparse matrices shown",
		"what are the resumes of a worker":          "what are the resumes of a worker",
		"who does the wording and masking":          "who does the wording and masking",
		"who calls getHapens":                       "who calls getHapens",
		"befor":                                     "befor",
	} {
		if got := Mended(message); got != want {
			t.Errorf("%q: %q", message, got)
		}
	}
}

func TestNamesAreShownAsAPersonWritesThem(t *testing.T) {
	for canon, want := range map[string]string{"SpinLatch#3": "SpinLatch", "&'a mut String::par_drain": "String::par_drain",
		"Vec<T>::new#2": "Vec::new", "A#2::b": "A::b", "Map<K, Vec<V>>::get": "Map::get", "plain::name": "plain::name",
		"operator<": "operator<"} {
		if got := Shown(canon); got != want {
			t.Errorf("%q: %q", canon, got)
		}
	}
}
