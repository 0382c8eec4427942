package facts

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"ploke-lsp/index/history"
	"ploke-lsp/internal/lazyregexp"
	"ploke-lsp/tools/wording"
)

// Period is a time in words: an end is a day such as 2026-01-31, a month, a year, days ago such as 14d, the name of a
// day or a month, day, week, month, quarter or year for the current one, or a commit by the name of a tag, a branch or
// its id; release is the last tag. "" is no end.
type Period struct{ Since, Until string }

const day = "2006-01-02"

// bounds are a period in one repository: days, which both belong to it, and commits.
type bounds struct {
	since, until string // days
	after, from  string // ids of commits
}

// has reports whether a commit is of the days.
func (b bounds) has(e history.Entry) bool {
	on := e.Time.Format(day)
	return (b.since == "" || on >= b.since) && (b.until == "" || on <= b.until)
}

// in returns the bounds of a period in the repository of a folder.
func (p Period) in(ctx context.Context, root string, now time.Time) (b bounds, err error) {
	b.from = "HEAD"
	for _, end := range []struct {
		name   string
		day    *string
		commit *string
		last   bool
	}{{p.Since, &b.since, &b.after, false}, {p.Until, &b.until, &b.from, true}} {
		if end.name == "" {
			continue
		}
		if first, last, ok := days(end.name, now.UTC()); ok {
			if *end.day = first.Format(day); end.last {
				*end.day = last.Format(day)
			}
			continue
		}
		if *end.commit, err = commitNamed(ctx, root, end.name); err != nil {
			return bounds{}, err
		}
	}
	return b, nil
}

// commitNamed returns the commit of a name. release is the last tag; where there is none, everything is after it.
func commitNamed(ctx context.Context, root, name string) (id string, err error) {
	tags, err := history.Tags(ctx, root, shownTags)
	if name == "release" {
		if err != nil || len(tags) == 0 {
			return "", err
		}
		name = tags[0].Name
	}
	if id, err = history.Named(ctx, root, name); id != "" || err != nil {
		return id, err
	}
	var names []string
	for _, t := range tags {
		names = append(names, t.Name)
	}
	hint := "there are no tags"
	if len(names) > 0 {
		hint = "the last tags are " + strings.Join(names, ", ")
	}
	return "", wording.BadValue("since", "no tag, branch or commit is called "+wording.JSON(name), hint)
}

// days returns the first and the last day that a word means, as people say it on a day.
func days(word string, now time.Time) (first, last time.Time, ok bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC)
	span := func(first time.Time, months, days int) (time.Time, time.Time, bool) {
		return first, first.AddDate(0, months, days-1), true
	}
	for _, form := range []struct {
		layout       string
		months, days int
	}{{day, 0, 1}, {"2006-01", 1, 0}, {"2006", 12, 0}} {
		if t, err := time.Parse(form.layout, word); err == nil {
			return span(t, form.months, form.days)
		}
	}
	if m := daysAgo.FindStringSubmatch(word); m != nil {
		n, _ := strconv.Atoi(m[1])
		return span(today.AddDate(0, 0, -n), 0, 1)
	}
	firstOf := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	switch word {
	case "day":
		return span(today, 0, 1)
	case "week":
		return span(today.AddDate(0, 0, -(int(today.Weekday())+6)%7), 0, 7)
	case "month":
		return span(firstOf, 1, 0)
	case "quarter":
		return span(firstOf.AddDate(0, -(int(today.Month())-1)%3, 0), 3, 0)
	case "year":
		return span(firstOf.AddDate(0, 1-int(today.Month()), 0), 12, 0)
	}
	if i := slices.IndexFunc(names(7, func(i int) string { return time.Weekday(i).String() }), is(word)); i >= 0 {
		back := (int(today.Weekday())-i+6)%7 + 1 // the last one before today
		return span(today.AddDate(0, 0, -back), 0, 1)
	}
	if i := slices.IndexFunc(names(12, func(i int) string { return time.Month(i + 1).String() }), is(word)); i >= 0 {
		back := (int(today.Month()) - 1 - i + 12) % 12 // this month, or the last one of that name
		return span(firstOf.AddDate(0, -back, 0), 1, 0)
	}
	return first, last, false
}

var daysAgo = lazyregexp.New(`^(\d{1,6})d$`)

func names(n int, of func(int) string) (all []string) {
	for i := range n {
		all = append(all, of(i))
	}
	return all
}

func is(word string) func(string) bool {
	return func(name string) bool { return strings.EqualFold(name, word) }
}
