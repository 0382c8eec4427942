package syntax

// maxDataSymbols bounds the symbols of a file that may be data rather than written by hand.
const maxDataSymbols = 1000

// limitSymbols drops the deepest levels of symbols until at most limit symbols remain. The
// references of a dropped symbol go to its parent.
func (f *File) limitSymbols(limit int) {
	if len(f.Symbols) <= limit {
		return
	}
	level := make([]int, len(f.Symbols))
	count := make([]int, maxDepth)
	for i, s := range f.Symbols {
		if s.Parent >= 0 {
			level[i] = level[s.Parent] + 1
		}
		count[level[i]]++
	}
	levels := 0
	for limit -= count[0]; limit >= 0 && levels+1 < maxDepth; levels++ {
		limit -= count[levels+1]
	}
	f.filterSymbols(func(symbol int) bool { return level[symbol] < levels })
}

// filterSymbols drops the symbols that keep rejects. keep must accept the parents of those that
// it accepts.
func (f *File) filterSymbols(keep func(symbol int) bool) {
	place := make([]int, len(f.Symbols)) // new index of each symbol, or of the kept symbol around it
	move := func(i *int) {
		if *i >= 0 {
			*i = place[*i]
		}
	}
	symbols := f.Symbols[:0]
	for i, s := range f.Symbols {
		move(&s.Parent)
		place[i] = s.Parent
		if keep(i) {
			place[i] = len(symbols)
			symbols = append(symbols, s)
		}
	}
	f.Symbols = symbols
	for i := range f.Refs {
		move(&f.Refs[i].From)
	}
}
