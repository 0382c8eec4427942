// Package vectors stores the embedding vectors of texts by the texts' hashes, and finds
// the vectors nearest to a query.
//
// Its promises:
//   - A vector is stored as a direction only: a signed byte for each dimension in a file,
//     and a sign bit for each in memory. The Hamming distance of the bits selects
//     candidates, and the bytes rank them by cosine.
//   - A set only grows, except by Vacuum. Vectors survive the end of the program once Add
//     has returned. After a loss of power the set is in an earlier state.
//   - Creating a file and vacuuming it are atomic. When the disk is full, the set keeps
//     its vectors.
//   - A damaged vector leaves the set when it is read, at the latest when a search would use
//     it. The others stay. Damage to the header of a file loses all of its vectors.
//   - Several processes may have a set open. Only the process that holds the lock adds
//     vectors. The others read them at their next Refresh.
//
// The package does not depend on models or texts.
package vectors
