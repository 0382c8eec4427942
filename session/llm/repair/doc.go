// Package repair makes what models and their servers write amiss what was meant, or what
// every server takes.
//
// Its promises:
//
//   - Only the form is repaired, never the meaning: arguments that are cut off, or that can be
//     read as two different objects, stay as they are. What is in order stays as it is, too.
//   - Equal input gives equal output, so that requests keep their prefixes.
//   - A repaired name, id or object is repaired no further: repairing twice changes nothing.
//   - Of a text that is streamed, [Thoughts] holds back at most what may be a tag and the white
//     space around it.
//
// The package knows neither requests nor answers: it takes and returns text and JSON.
package repair
