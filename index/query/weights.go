package query

import "ploke-lsp/index/traits"

// The weights of the parts of a score, the same for all languages. They are round numbers,
// chosen on 300 changes of five projects and 216 questions about eleven others, see
// docs/how-it-searches.md. Similar values give results that such a sample can't tell apart.
const (
	fileWeight          = 2.75 // of a file's score relative to its unit's
	containedWeight     = 0.3  // of containing a field that the query names
	testWeight          = 0.4  // of a test, unless the query requests tests
	secondaryWeight     = 0.5  // of a vendored or generated file, or an example, unless the query requests them
	dataWeight          = 0.3  // of configuration and build rules
	proseWeight         = 0.3  // of documentation, whose sections are full of words that queries have
	hintedWeight        = 0.6  // of these two if the query has a word that may be about them
	besideWeight        = 0.5  // of files of other kinds than a question asks for
	kindWordWeight      = 0.3  // of the words that say for which
	settingsNameWeight  = 0.5  // of the names that files of settings have by convention, see settingsFiles
	ownNameWeight       = 0.6  // of configuration, at least, if a word of the query is in the file's own name
	fileRemainderWeight = 0.6  // of the words of the rest of a code file, outside of its symbols
	aloneWeight         = 2    // factor of a named unit and of its file if the query is nothing but a name
	laterPhraseWeight   = 0.5  // of a text that a query quotes behind its first line
	frameWeight         = 1    // of the words of the innermost function of a stack trace, and of it by its owner and name
	frameNameWeight     = 0.5  // of that function by its name alone
)

// Channel is a signal that contributes to scores, in addition to the words of units.
type Channel string

// The channels.
const (
	PathChannel      Channel = "path"      // words of a file's path
	WholeChannel     Channel = "whole"     // words of a whole file
	HistoryChannel   Channel = "history"   // commits that are like the query
	RecencyChannel   Channel = "recency"   // how recently commits changed a file
	CalledChannel    Channel = "called"    // files that the query names
	NamingChannel    Channel = "naming"    // words of the query in the names of files and folders
	VersionChannel   Channel = "version"   // folders of older versions
	DiversityChannel Channel = "diversity" // results of several files
	ExactChannel     Channel = "exact"     // symbols that the query names
	PlaceChannel     Channel = "place"     // files and lines that the query names
	PhraseChannel    Channel = "phrase"    // texts that the query quotes
	EditorChannel    Channel = "editor"    // the state of the person's editor
	SpellingChannel  Channel = "spelling"  // names and words that are like those of the query
	KindChannel      Channel = "kind"      // kinds of files that the query requests
	ReportChannel    Channel = "report"    // functions of stack traces, names in messages of compilers
	DenseChannel     Channel = "dense"     // units whose vectors are near the query's

	// These are parts of others, or reduce what others have found.
	CoverChannel     Channel = "cover"     // files all words of whose names the query has: a part of naming
	NamedChannel     Channel = "named"     // files with a symbol that the query names: a part of exact
	AloneChannel     Channel = "alone"     // a query that is nothing but a name
	RemainderChannel Channel = "remainder" // the rest of a file outside of its symbols
	TestsChannel     Channel = "tests"     // files of kinds that are rarely meant
	SecondaryChannel Channel = "secondary"
	DataChannel      Channel = "data"
	ProseChannel     Channel = "prose"
	BesideChannel    Channel = "beside" // files of other kinds than a question asks for
)

// Channels lists all channels.
var Channels = []Channel{PathChannel, WholeChannel, HistoryChannel, RecencyChannel, CalledChannel, NamingChannel,
	VersionChannel, DiversityChannel, ExactChannel, PlaceChannel, PhraseChannel, EditorChannel, SpellingChannel,
	KindChannel, ReportChannel, DenseChannel, CoverChannel, NamedChannel, AloneChannel, RemainderChannel, TestsChannel,
	SecondaryChannel, DataChannel, ProseChannel, BesideChannel}

// channelWeights are the weights of the channels.
type channelWeights struct {
	traits    traitWeights    // of files
	requested requestedTraits // which they are for
	neutral   traits.Set      // which reduce no score
	beside    float64         // of files of other kinds than a question asks for
	kinds     float64         // 0: a query requests no traits
	ownName   float64         // the least factor for settings whose name has a word of the query
	fileWeights
	unitWeights
	remainder float64 // of the words of the rest of a code file
	alone     float64 // factor of exact and named if the query is nothing but a name
	diversity float64 // of the penalties for further units of a file
	spelling  float64 // 0: words and names must be as the index has them
	reports   float64 // 0: a stack trace is a text like others
}

// fileWeights are those of what a file has as a whole.
type fileWeights struct {
	path    float64 // of a term in the path, relative to the fields of postings
	whole   float64 // of a whole file's score relative to its best units'
	history float64 // of a file, by commits that are like the query
	recency float64 // of the file that the newest commit changed
	called  float64 // of a file that the query names
	naming  float64 // of a file whose name and folders have all words of the query
	cover   float64 // of a file all words of whose name are in the query
	older   float64 // the loss of a file in a folder like v3, if there is a v4 next to it
}

// unitWeights are those of what tells one unit of a file from the others.
type unitWeights struct {
	exact  float64 // of a unit that the query names
	named  float64 // of a file with such a unit
	place  float64 // of a unit with a line that the query names
	phrase float64 // of a unit with a text that the query quotes
	editor float64 // of the cursor's unit, and of its file
	dense  float64 // of a unit whose vector is near the query's, and of its file
}

// newWeights returns the weights. The channels in without count nothing.
func newWeights(without []Channel) channelWeights {
	w := channelWeights{diversity: 1, spelling: 1, reports: 1, kinds: 1, ownName: ownNameWeight, beside: besideWeight,
		remainder: fileRemainderWeight, alone: aloneWeight,
		fileWeights: fileWeights{path: 4, whole: 0.7, history: 1, recency: 0.1, called: 1, naming: 0.8, cover: 0.5,
			older: 0.4},
		unitWeights: unitWeights{exact: 0.4, named: 0.4, place: 2, phrase: 1, editor: 0.2, dense: 0.5}}
	if len(without) > 0 {
		w.leaveOut(without)
	}
	return w
}

// leaveOut makes channels count nothing: it sets their weights to 0, and their factors to 1.
func (w *channelWeights) leaveOut(channels []Channel) {
	kinds := map[Channel]traits.Set{TestsChannel: traits.TestTrait, SecondaryChannel: traits.SecondaryTrait,
		DataChannel: traits.DataTrait, ProseChannel: traits.ProseTrait}
	factors := map[Channel]*float64{RemainderChannel: &w.remainder, AloneChannel: &w.alone, BesideChannel: &w.beside}
	byChannel := map[Channel][]*float64{
		PathChannel:      {&w.path},
		WholeChannel:     {&w.whole},
		HistoryChannel:   {&w.history},
		RecencyChannel:   {&w.recency},
		CalledChannel:    {&w.called},
		NamingChannel:    {&w.naming, &w.cover},
		VersionChannel:   {&w.older},
		DiversityChannel: {&w.diversity},
		ExactChannel:     {&w.exact, &w.named},
		PlaceChannel:     {&w.place},
		PhraseChannel:    {&w.phrase},
		EditorChannel:    {&w.editor},
		SpellingChannel:  {&w.spelling},
		KindChannel:      {&w.kinds, &w.ownName},
		ReportChannel:    {&w.reports},
		DenseChannel:     {&w.dense},
		CoverChannel:     {&w.cover},
		NamedChannel:     {&w.named},
	}
	for _, channel := range channels {
		w.neutral |= kinds[channel]
		if factor, ok := factors[channel]; ok {
			*factor = 1
		}
		for _, weight := range byChannel[channel] {
			*weight = 0
		}
	}
}
