package testbed

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
)

// verdict is a test that remembers how it ended.
type verdict struct {
	testing.TB
	said string
}

func (v *verdict) Helper()                         {}
func (v *verdict) Skip(args ...any)                { v.said = "skip: " + fmt.Sprint(args...) }
func (v *verdict) Skipf(text string, args ...any)  { v.said = "skip: " + fmt.Sprintf(text, args...) }
func (v *verdict) Fatalf(text string, args ...any) { v.said = "fail: " + fmt.Sprintf(text, args...) }

func TestNeed(t *testing.T) {
	missing := errors.New("no such file")
	for _, tt := range []struct {
		all, short string
		err        error
		want       string // how what was said begins
	}{
		{"", "false", nil, ""},
		{"", "false", missing, "skip: needs rg; run make test-setup: no such file"},
		{"", "true", nil, "skip: needs rg; left out by -short"},
		{"", "true", missing, "skip: needs rg"},
		{"1", "false", nil, ""},
		{"1", "true", nil, ""},
		{"1", "false", missing, "fail: needs rg"},
		{"1", "true", missing, "fail: needs rg"},
	} {
		t.Run(fmt.Sprintf("all=%s short=%s %v", tt.all, tt.short, tt.err), func(t *testing.T) {
			t.Setenv(All, tt.all)
			setShort(t, tt.short)
			v := &verdict{TB: t}
			Need(v, "rg", tt.err)
			if !strings.HasPrefix(v.said, tt.want) || (tt.want == "") != (v.said == "") {
				t.Errorf("%q, want %q", v.said, tt.want)
			}
		})
	}
}

func TestCountSizeAndLong(t *testing.T) {
	for _, tt := range []struct {
		short, soak string
		count, size int
		said        string
	}{
		{"true", "", 2, 3, "skip: takes long; left out by -short"},
		{"true", "10", 2, 3, "skip: takes long; left out by -short"},
		{"false", "", 20, 30, ""},
		{"false", "10", 200, 30, ""},
	} {
		setShort(t, tt.short)
		t.Setenv(Soak, tt.soak)
		v := &verdict{TB: t}
		Long(v)
		if count, size := Count(20, 2), Size(30, 3); count != tt.count || size != tt.size || v.said != tt.said {
			t.Errorf("short=%s soak=%s: %d, %d, %q", tt.short, tt.soak, count, size, v.said)
		}
	}
}

// setShort sets -short until the test ends.
func setShort(t *testing.T, short string) {
	t.Helper()
	before := flag.Lookup("test.short").Value.String()
	if err := flag.Set("test.short", short); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { flag.Set("test.short", before) })
}

func TestHas(t *testing.T) {
	for _, tt := range []struct {
		all  string
		err  error
		has  bool
		want string // how what was said begins
	}{
		{"", nil, true, ""},
		{"", errors.New("no such file"), false, ""},
		{"1", nil, true, ""},
		{"1", errors.New("no such file"), false, "fail: needs a schema"},
	} {
		t.Setenv(All, tt.all)
		v := &verdict{TB: t}
		if has := Has(v, "a schema", tt.err); has != tt.has || !strings.HasPrefix(v.said, tt.want) || (tt.want == "") != (v.said == "") {
			t.Errorf("all=%s %v: %v, %q", tt.all, tt.err, has, v.said)
		}
	}
}

func TestProgramAndFile(t *testing.T) {
	t.Setenv(All, "1")
	v := &verdict{TB: t}
	if path := Program(v, "go"); path == "" || v.said != "" {
		t.Errorf("go is at %q: %s", path, v.said)
	}
	if File(v, "this test", "testbed_test.go"); v.said != "" {
		t.Error(v.said)
	}
	if Program(v, "no-such-program"); !strings.HasPrefix(v.said, "fail: needs no-such-program") {
		t.Errorf("a missing program: %q", v.said)
	}
	if File(v, "nothing", "no/such/file"); !strings.HasPrefix(v.said, "fail: needs nothing") {
		t.Errorf("a missing file: %q", v.said)
	}
}
