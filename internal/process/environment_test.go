package process

import (
	"slices"
	"strings"
	"testing"
)

func TestEnvironment(t *testing.T) {
	const dir = "the folder"
	for _, tt := range []struct {
		name            string
		fold            bool
		all, more, want []string
	}{
		{"usual variables", false, []string{"PATH=/bin", "HOME=/home/x", "LC_ALL=C", "XDG_RUNTIME_DIR=/run/x", "GOROOT=/go"}, nil,
			[]string{"PATH=/bin", "HOME=/home/x", "LC_ALL=C", "XDG_RUNTIME_DIR=/run/x", "GOROOT=/go"}},
		{"keys", false, []string{"API_KEY=k", "TOKEN=t", "AWS_SECRET_ACCESS_KEY=s", "SSH_AUTH_SOCK=/run/s", "MYPATH=/x", "PATHS=/x"}, nil, nil},
		{"more", false, []string{"API_KEY=k", "OTHER=o"}, []string{"API_KEY"}, []string{"API_KEY=k"}},
		{"another folder", false, []string{"PWD=/elsewhere", "HOME=/x"}, []string{"PWD"}, []string{"HOME=/x"}},
		{"a value with a sign", false, []string{"PATH=a=b"}, nil, []string{"PATH=a=b"}},
		{"case counts", false, []string{"Path=/bin", "api_key=k", "lc_all=C"}, []string{"API_KEY"}, nil},
		{"case does not count", true, []string{`Path=C:\Windows`, `SYSTEMROOT=C:\Windows`, "programfiles(X86)=x", "ComSpec=cmd", "Api_Key=k", "lc_all=C", "Pwd=x", "Token=t"},
			[]string{"API_KEY"}, []string{`Path=C:\Windows`, `SYSTEMROOT=C:\Windows`, "programfiles(X86)=x", "ComSpec=cmd", "Api_Key=k", "lc_all=C"}},
		{"the folder of a drive", true, []string{`=C:=C:\Users`}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := environment(tt.all, dir, tt.more, tt.fold)
			if want := append(slices.Clone(tt.want), "PWD="+dir); !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// TestAProgramFindsOthers looks for PATH as the system spells it: without it, no program finds another one.
func TestAProgramFindsOthers(t *testing.T) {
	t.Setenv("PLOKE_TEST_KEY", "secret")
	all := Environment(t.TempDir(), nil)
	if !slices.ContainsFunc(all, func(v string) bool { return len(v) > 5 && strings.EqualFold(v[:5], "PATH=") }) {
		t.Errorf("PATH is missing in %q", all)
	}
	if slices.Contains(all, "PLOKE_TEST_KEY=secret") {
		t.Error("a key is in the environment")
	}
}
