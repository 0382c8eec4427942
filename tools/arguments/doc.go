// Package arguments reads the arguments of a call: a tool declares a struct, and gets it filled, or a
// failure that names the field that is wrong and what to send instead.
//
// Its promises:
//
//   - Arguments that fit the schema are used as they are.
//   - A slip with only one meaning is corrected: a field under the name that it has in tools of other
//     agents, a number in a string, a list of one as its item, JSON in a string. Nothing is guessed: what
//     is not understood stays, and is refused.
//   - What a model is told of the schema is less than what is accepted. Fields of embedded structs, and
//     the aliases of fields, are not described.
//   - The same arguments give the same failure, that of the innermost part that is refused.
//   - Secrets come only into the arguments that declare it: see [Restored].
//
// A [Schema] is immutable once it is made, and safe for concurrent use.
package arguments
