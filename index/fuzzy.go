package index

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strings"
)

// nearest are the symbols whose names come closest to what was looked up.
func (l *lookup) nearest(ctx context.Context) ([]Unit, error) {
	wanted := strings.ToLower(lastName(l.canon))
	if wanted == "" {
		return nil, nil
	}
	var units []Unit
	for _, name := range l.x.namesLike(wanted) {
		of, err := l.named(ctx, name)
		if err != nil {
			return nil, err
		}
		units = append(units, of...)
		if len(units) >= maxNearest {
			return units[:maxNearest], nil
		}
	}
	return units, nil
}

// nearName is a name with how far it is from the one that is wanted.
type nearName struct {
	name     string
	distance float64
}

// namesLike are the names in the index that come close to wanted, closest first;
// all in lower case.
func (x *Index) namesLike(wanted string) []string {
	views, release := x.views()
	defer release()
	letters := mask(wanted)
	seen := map[string]bool{}
	var near []nearName
	for _, v := range views {
		names := v.Names()
		for i := range names.Len() {
			name := string(names.Name(i))
			// Every letter that only one of them has costs at least one edit.
			if far(letters, mask(name)) || strings.Contains(name, "::") || seen[name] {
				continue
			}
			if d := distance(wanted, name); d < farthest {
				seen[name] = true
				near = append(near, nearName{strings.Clone(name), d})
			}
		}
	}
	slices.SortFunc(near, func(a, b nearName) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, n := range near[:min(len(near), 4*maxNearest)] {
		names = append(names, n.name)
	}
	return names
}

// farthest is the distance that no name may reach.
const farthest = 0.5

// mask has a bit for each letter and digit of a name.
func mask(name string) (m uint64) {
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z':
			m |= 1 << (c - 'a')
		case '0' <= c && c <= '9':
			m |= 1 << (26 + c - '0')
		}
	}
	return m
}

// far says that two names share too few letters to be close: neither has nearly all
// of the other's.
func far(a, b uint64) bool {
	return bits.OnesCount64(a&^b) > 2 && bits.OnesCount64(b&^a) > 2
}

// distance is 0 for equal names and 1 for those that have nothing in common. A name
// in the other costs by what is left over, else edits are counted.
func distance(wanted, name string) float64 {
	short, long := wanted, name
	if len(short) > len(long) {
		short, long = long, short
	}
	if len(short) >= 3 && strings.Contains(long, short) {
		return 0.45 * float64(len(long)-len(short)) / float64(len(long))
	}
	if 2*len(short) < len(long) {
		return 1
	}
	return float64(edits(wanted, name)) / float64(len(long))
}

// edits is the number of bytes to insert, delete or replace to make b of a.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
