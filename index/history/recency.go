package history

import "math"

// fading is after how many commits a file that they did not touch is 1/e as recent.
const fading = 100

// Recency is how recently a file was touched: 1 by the newest commit, 0 by none.
func (l *Log) Recency(path string) float64 {
	if l == nil {
		return 0
	}
	if commit, ok := l.touched[path]; ok {
		return math.Exp(-float64(commit) / fading)
	}
	return 0
}
