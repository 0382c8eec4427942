// Package vectors keeps the vectors of texts by the texts' hashes, and finds those that
// point where another one points.
//
// Its promises:
//   - A vector is kept as a direction alone: a signed byte for each of its dimensions, in
//     a file, and a bit for each in memory. The bits find the candidates, the bytes say
//     how near these are.
//   - A set only grows, but for Compact. What Add has returned from survives the end of
//     the program; after a loss of power the set is what it was at some earlier time.
//   - A file begins, and is compacted, whole or not at all; where the disk is full, what was
//     there stays.
//   - A file that is damaged from some place on is a set that ends there.
//   - Several processes may have a set open. One of them adds, who holds the lock; the
//     others see what it has added once they Follow.
//
// The package knows neither models nor texts.
package vectors
