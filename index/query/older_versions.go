package query

import (
	"slices"
	"strconv"
	"strings"
)

// reduceOlderVersions sets the factor of the candidates in folders of older versions: in v3,
// if a candidate is in v4 next to it, or if one has the same path without the folder.
func (c *corpus) reduceOlderVersions(candidates []candidate) {
	newest := map[string]int{} // by the path before the folder
	for i := range candidates {
		d := &candidates[i]
		d.rel, d.current = c.views[d.view].Rel(d.doc), 1
		if before, number, _, ok := cutVersionFolder(d.rel); ok {
			newest[before] = max(newest[before], number)
		}
	}
	if len(newest) == 0 {
		return
	}
	for i := range candidates {
		before, number, after, ok := cutVersionFolder(candidates[i].rel)
		if ok && (number < newest[before] || isAmong(candidates, before+after)) {
			candidates[i].current = 1 - c.weights.older
		}
	}
}

func isAmong(candidates []candidate, rel string) bool {
	return slices.ContainsFunc(candidates, func(d candidate) bool { return d.rel == rel })
}

// cutVersionFolder finds the first folder in a path that is named for a version, like v3.
// It returns the number, and the path before and after the folder.
func cutVersionFolder(rel string) (before string, number int, after string, ok bool) {
	for start := 0; ; {
		name, rest, inFolder := strings.Cut(rel[start:], "/")
		if !inFolder {
			return "", 0, "", false
		}
		if digits, ok := strings.CutPrefix(name, "v"); ok && digits != "" && len(digits) <= 4 {
			if number, err := strconv.ParseUint(digits, 10, 16); err == nil {
				return rel[:start], int(number), rest, true
			}
		}
		start += len(name) + 1
	}
}
