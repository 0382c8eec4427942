package history

import "math"

// recencyDecay is the number of commits after which the recency of a file is 1/e.
const recencyDecay = 100

// Recency returns how recently a file was touched: 1 if by the newest commit, falling to
// 0. It is 0 if no commit touched the file.
func (l *Log) Recency(path string) float64 {
	if l == nil {
		return 0
	}
	if commit, ok := l.newest[path]; ok {
		return math.Exp(-float64(commit) / recencyDecay)
	}
	return 0
}
