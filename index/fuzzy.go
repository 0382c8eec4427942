package index

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"

	"ploke-lsp/index/postings"
)

// nearName is a name with how far it is from the one that is wanted.
type nearName struct {
	name     string
	distance float64
}

func compareNear(a, b nearName) int {
	return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
}

const (
	maxNames = 4 * maxNearest // that are near
	farthest = 0.5            // the distance that no near name reaches
	// containedCost is of a byte that is left over where one name is in the other.
	containedCost = 0.45
)

// namesLike are the declared names that come closest to wanted, closest first; all in
// lower case.
func namesLike(views []*view, wanted string) []string {
	p := newPattern(wanted)
	if p == nil {
		return nil
	}
	var near []nearName // in order, the best so far
	for _, v := range views {
		names := v.Names()
		for i := range names.Len() {
			bound := farthest
			if len(near) == maxNames {
				bound = near[maxNames-1].distance
			}
			if p.far(names.Sketch(i), bound) {
				continue
			}
			name := names.Name(i)
			if d := p.distance(string(name), bound); d < farthest && d <= bound {
				near = insert(near, nearName{string(name), d})
			}
		}
	}
	list := make([]string, len(near))
	for i, n := range near {
		list[i] = n.name
	}
	return list
}

// insert adds a name at its place, and drops the last where there are too many.
func insert(near []nearName, n nearName) []nearName {
	at, known := slices.BinarySearchFunc(near, n, compareNear)
	if known {
		return near
	}
	near = slices.Insert(near, at, n)
	return near[:min(len(near), maxNames)]
}

// pattern is a name that is wanted, prepared to be compared with many.
type pattern struct {
	text    string // in lower case
	humps   []string
	letters uint64
	places  [256]uint64 // of each byte: a bit for each place where text has it
}

// maxPattern is the length of the longest pattern in bytes; names aren't longer.
const maxPattern = 64

// newPattern is nil for a name that nothing comes close to.
func newPattern(wanted string) *pattern {
	p := &pattern{text: strings.ToLower(wanted), humps: humps(wanted)}
	if p.text == "" || len(p.text) > maxPattern {
		return nil
	}
	p.letters = postings.NewSketch(p.text).Letters()
	for i := range len(p.text) {
		p.places[p.text[i]] |= 1 << i
	}
	return p
}

// humps are the parts of an identifier as its underscores and capitals cut it, in
// lower case: lis, and, ser of LisAndSer.
func humps(name string) (list []string) {
	start := 0
	for i, r := range name + "_" {
		if r != '_' && !unicode.IsUpper(r) {
			continue
		}
		if part := strings.Trim(name[start:i], "_"); part != "" {
			list = append(list, strings.ToLower(part))
		}
		start = i
	}
	return list
}

// far says of a name by its sketch that its distance is above bound. Each letter that
// only one of the two has costs an edit, unless one has all of the other's; and who
// mistypes a name has most of its letters.
func (p *pattern) far(name postings.Sketch, bound float64) bool {
	missing, extra := bits.OnesCount64(p.letters&^name.Letters()), bits.OnesCount64(name.Letters()&^p.letters)
	if missing > 2 && extra > 2 {
		return true
	}
	left, length := abs(name.Len()-len(p.text)), max(name.Len(), len(p.text))
	if missing == 0 || extra == 0 {
		return containedCost*float64(left) > bound*float64(length)
	}
	return float64(max(missing, extra, left)) > bound*float64(length)
}

func abs(n int) int { return max(n, -n) }

// distance is 0 for equal names and 1 for those that have nothing in common. Where one
// is in the other, or begins with the humps of the other in their order, it is what is
// left over that counts, else the edits. One that is above bound may be too large.
func (p *pattern) distance(name string, bound float64) float64 {
	short, long := p.text, name
	if len(short) > len(long) {
		short, long = long, short
	}
	left, length := float64(len(long)-len(short)), float64(len(long))
	if len(short) >= 3 && strings.Contains(long, short) || p.humped(name) {
		return containedCost * left / length
	}
	if left > bound*length {
		return 1
	}
	return float64(p.edits(name)) / length
}

// humped says whether a name begins with the first hump and has the others, two or
// more in all, one after the other behind it.
func (p *pattern) humped(name string) bool {
	if len(p.humps) < 2 || !strings.HasPrefix(name, p.humps[0]) {
		return false
	}
	for _, h := range p.humps {
		at := strings.Index(name, h)
		if at < 0 {
			return false
		}
		name = name[at+len(h):]
	}
	return true
}

// edits is the number of bytes to insert, delete or replace to make a name of the
// pattern. It goes through the name with a whole column of the table in two words:
// Myers, A fast bit-vector algorithm for approximate string matching (1999), in the
// form of Hyyrö (2003).
func (p *pattern) edits(name string) int {
	last := uint64(1) << (len(p.text) - 1)
	plus, minus := ^uint64(0), uint64(0) // where a cell is one more, or less, than the one above it
	n := len(p.text)
	for i := range len(name) {
		equal := p.places[name[i]]
		zero := ((equal&plus + plus) ^ plus) | equal | minus
		right, left := minus|^(zero|plus), plus&zero
		if right&last != 0 {
			n++
		}
		if left&last != 0 {
			n--
		}
		right = right<<1 | 1
		plus, minus = left<<1|^(zero|right), right&zero
	}
	return n
}
