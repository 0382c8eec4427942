package main

import (
	"strings"
	"testing"
	"time"

	ploke "ploke-lsp/lsp/protocol"
)

func TestDoctorNamesStandingAnswers(t *testing.T) {
	var out strings.Builder
	d := doctor{out: &out}
	since := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	d.sayStanding([]ploke.StandingPermission{
		{Key: "check:lint", Title: "run the check lint", Allowed: true, Since: since},
		{Key: "check:test", Title: "run the check test", Since: since},
	})
	want := `ok    permission "run the check lint" is always allowed, since 2026-03-01 12:00:00; ploke.permission.forget with the key "check:lint" takes that back
ok    permission "run the check test" is always rejected, since 2026-03-01 12:00:00; ploke.permission.forget with the key "check:test" takes that back
`
	if out.String() != want || d.failed {
		t.Errorf("got\n%s", out.String())
	}
}
