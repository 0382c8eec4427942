package facts

import (
	"testing"
	"time"
)

// TestDaysOfWords reads words for days as on Sunday, 29 November 2026.
func TestDaysOfWords(t *testing.T) {
	now := time.Date(2026, 11, 29, 22, 0, 0, 0, time.UTC)
	for word, want := range map[string]string{
		"2026-01-31": "2026-01-31 2026-01-31", "2024-02": "2024-02-01 2024-02-29", "2023": "2023-01-01 2023-12-31",
		"14d": "2026-11-15 2026-11-15", "day": "2026-11-29 2026-11-29", "week": "2026-11-23 2026-11-29",
		"month": "2026-11-01 2026-11-30", "quarter": "2026-10-01 2026-12-31", "year": "2026-01-01 2026-12-31",
		"friday": "2026-11-27 2026-11-27", "sunday": "2026-11-22 2026-11-22", "november": "2026-11-01 2026-11-30",
		"december": "2025-12-01 2025-12-31", "v1.2": "", "d": "",
	} {
		first, last, ok := days(word, now)
		got := ""
		if ok {
			got = first.Format(day) + " " + last.Format(day)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
