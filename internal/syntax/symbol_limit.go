package syntax

// mostData bounds the symbols of a file that may be data rather than written by hand.
const maxDataSymbols = 1000

// thin leaves out the deepest levels of symbols, as many as it takes to keep no more
// than most. What a symbol that is left out mentions, its parent does.
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

// keep leaves out the symbols that it is not told to keep; it is told to keep the
// parents of those that it keeps.
func (f *File) filterSymbols(keep func(symbol int) bool) {
	place := make([]int, len(f.Symbols)) // of each symbol, or of what encloses it
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
