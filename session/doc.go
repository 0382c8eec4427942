// Package session stores conversations and runs their turns. It sends the user's
// message to a model, runs the tools that the model calls, and sends their results
// back, until the model answers.
//
// Its promises:
//
//   - A user's message is stored durably before [Engine.Start] returns. An
//     assistant's message goes from pending to completed, cancelled, failed or
//     interrupted, and always keeps the text that was streamed. A crash loses about
//     the last second of it.
//   - Every tool call gets exactly one terminal event and exactly one result, even
//     if the tool crashes or hangs. The record is stored before the event is
//     published. Calls of one response that only read run side by side. Any other call
//     begins when the calls before it are over, and the calls behind it see what it
//     has changed. The results go to the model in the order of the calls.
//   - Within a turn the messages of each request are a prefix of the messages of
//     the next request. A later turn rebuilds the same bytes.
//   - Each request to a provider is in the ledger before it is sent.
//   - All events are published on the bus in the order in which they happen. There
//     are no other callbacks.
//   - A turn belongs to one engine. Another process takes it over only if that engine's
//     process is gone, or out of sight on another host for longer than its lease. From then on
//     the first engine changes nothing of it, and its turn fails.
//   - The package knows no editor, no position and no URI. Paths are absolute paths
//     of the operating system; lines are 1-based and inclusive.
//
// # A turn
//
// The person's message is committed before anything else happens. What was typed and what is known
// to have changed on disk is indexed; in an editor, a turn never waits for the first indexing. A
// model that does not search by itself gets code that fits the message, if the message names
// something in the code.
//
// Then the engine sends, streams, runs the calls, appends their results in the order of the calls,
// and sends again. A result is stored and published as JSON; a model reads the text that the tool
// writes from this JSON. A result that a read-only tool has returned before, and that is still
// sent whole, is a note in its place; the sixth time ends the turn, and so does a call that keeps
// failing. A response with neither an answer nor a whole call is asked for again once. A model may
// send its answer along with its last edit. That ends the turn without another request, unless a
// call failed or the edit has touched a folder whose rules the model has not read.
//
// What a turn has proposed is checked before it ends, within a bounded time. New problems go back
// to the model, a few times.
//
// The answer ends completed, cancelled, failed or interrupted. What else a person saw, thoughts
// and notices, is stored with it, and no model gets it.
//
// # Messages while a turn runs
//
// A message that arrives while a turn runs is queued, or joins the turn before its next request.
// Both kinds are stored at once with their still empty answer, so that the stored tree has the
// order of the queue. A message that steers turns what was answered so far into an answer of its
// own. A person's decisions on proposals reach the model as a notice, which is stored where it was
// said. With a message, so does what has changed in files that the model was shown. Turns start in
// the order of their requests. A turn whose request was cancelled counts as stopped at once, so a
// new request right after it works.
//
// # Who owns a turn
//
// A turn has a lease: another process on the same folder leaves the turn alone until its owner is
// gone. On one host the process decides, however long it sleeps; for another host the time does.
// Each update of the turn checks in its transaction that the turn is still its owner's, so an
// owner that comes back late changes nothing.
//
// # Calls
//
// Only the dispatcher publishes how a call ended, exactly once. What must last is committed before
// it is published. Of the calls of a response, those of tools that say that they only read run
// side by side. Any other call waits for the calls before it and holds up those behind it, without
// a worker and off the clock. A tool may ask for permission. The question goes over the bus to the
// front end, which asks on a goroutine of its own. Anything but an explicit answer rejects.
//
// # What a model sees
//
// Package window makes what a model sees of what package records has stored. Its comment says what
// is kept of it from turn to turn, and who lets go of what.
package session
