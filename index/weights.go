package index

// What counts how much in a score, the same for all languages. The figures are round, and
// were chosen on 300 changes of five projects, see bench/retrieval, and 400 of fifteen others;
// near them the results differ by less than what such a sample can tell.
const (
	fileWeight          = 0.6 // of a file's score beside its unit's
	containedWeight     = 0.3 // of containing a field that the query names
	testWeight          = 0.5 // of a test, where the query does not ask for tests
	secondaryWeight     = 0.5 // of a copied or generated file, or an example, likewise
	dataWeight          = 0.5 // of settings, and of how to build
	proseWeight         = 0.3 // of a text for people, whose sections are full of the words of questions
	fileRemainderWeight = 0.6 // of what is left of a file of code when its symbols are taken out
)

// Channel is a source of scores beside the words of units.
type Channel string

// The channels.
const (
	PathChannel    Channel = "path"    // words of a file's path
	WholeChannel   Channel = "whole"   // words of a whole file
	HistoryChannel Channel = "history" // commits that are like the query
	RecencyChannel Channel = "recency" // when commits touched a file
	CalledChannel  Channel = "called"  // files that the query calls by their names
	ExactChannel   Channel = "exact"   // symbols that the query names
	PlaceChannel   Channel = "place"   // files and lines that the query names
	PhraseChannel  Channel = "phrase"  // texts that the query quotes
	EditorChannel  Channel = "editor"  // where the person is
	DenseChannel   Channel = "dense"   // units whose vectors lie near the query's
)

// Channels are all of them.
var Channels = []Channel{PathChannel, WholeChannel, HistoryChannel, RecencyChannel, CalledChannel, ExactChannel, PlaceChannel, PhraseChannel, EditorChannel, DenseChannel}

// weights are those of the channels.
type weights struct {
	traits  traitWeights // of files
	path    float64      // of a term in the path beside postings' weights
	whole   float64      // of a whole file's score beside its best units'
	history float64      // of what commits say of a file
	recency float64      // of a file that the newest commit touched
	called  float64      // of a file that the query calls by its name
	exact   float64      // of being what the query names
	named   float64      // of having that, for a file
	place   float64      // of having a line that the query names
	phrase  float64      // of having what the query quotes
	editor  float64      // of being where the person is, for a unit and for its file
	dense   float64      // of lying near the query, for a unit and for its file
}

// newWeights returns the weights; those of the channels in without are 0.
func newWeights(without []Channel) weights {
	w := weights{path: 4, whole: 0.5, history: 0.8, recency: 0.2, called: 0.5, exact: 0.6, named: 0.2, place: 2, phrase: 1, editor: 0.2, dense: 0.5}
	byChannel := map[Channel][]*float64{
		PathChannel:    {&w.path},
		WholeChannel:   {&w.whole},
		HistoryChannel: {&w.history},
		RecencyChannel: {&w.recency},
		CalledChannel:  {&w.called},
		ExactChannel:   {&w.exact, &w.named},
		PlaceChannel:   {&w.place},
		PhraseChannel:  {&w.phrase},
		EditorChannel:  {&w.editor},
		DenseChannel:   {&w.dense},
	}
	for _, channel := range without {
		for _, weight := range byChannel[channel] {
			*weight = 0
		}
	}
	return w
}
