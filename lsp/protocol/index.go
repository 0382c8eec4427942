package protocol

// The methods of the index.
const (
	// MethodIndexStatus reads the state of the index. Changes of it are sent as [MethodEvent].
	MethodIndexStatus = "ploke/index/status"
	// MethodIndexRebuild reads every file again.
	MethodIndexRebuild = "ploke/index/rebuild"
	// MethodIndexPause pauses indexing. Searches and unsaved text go on.
	MethodIndexPause = "ploke/index/pause"
	// MethodIndexResume resumes indexing.
	MethodIndexResume = "ploke/index/resume"
)

// IndexState is the state of an index.
type IndexState string

// The states of an index.
const (
	IndexStarting IndexState = "starting" // the first scan has not begun
	IndexIndexing IndexState = "indexing"
	IndexReady    IndexState = "ready"
	IndexPaused   IndexState = "paused" // by the person; searches use what is indexed
	IndexFailed   IndexState = "failed" // the error says why; searches use what is indexed
)

// IndexStatus is the state of the index and the size of its contents.
type IndexStatus struct {
	State      IndexState       `json:"state"`
	Files      int              `json:"files"`
	Symbols    int              `json:"symbols"`
	References int              `json:"references"`
	Error      string           `json:"error,omitzero"`     // why it failed
	Progress   *IndexProgress   `json:"progress,omitzero"`  // while a scan runs
	Embedding  *EmbeddingStatus `json:"embedding,omitzero"` // if the settings name a model for vectors
}

// EmbeddingState is the state of an index's vectors.
type EmbeddingState string

// The states of an index's vectors.
const (
	EmbeddingWaiting EmbeddingState = "waiting" // for the index
	EmbeddingAsking  EmbeddingState = "asking"  // the person for permission, because the cost exceeds the budget
	EmbeddingMaking  EmbeddingState = "making"
	EmbeddingReady   EmbeddingState = "ready"
	EmbeddingFailed  EmbeddingState = "failed" // the error says why; the vectors that were made are kept
)

// EmbeddingStatus is the progress of making vectors.
type EmbeddingStatus struct {
	Model    string         `json:"model"` // PROVIDER/MODEL
	State    EmbeddingState `json:"state"`
	Passages int            `json:"passages"` // how many of the total have a vector now
	Total    int            `json:"total"`    // the passages that had no vector at the start
	Error    string         `json:"error,omitzero"`
}

// IndexProgress is the progress of a scan of one workspace folder.
type IndexProgress struct {
	Files       int `json:"files"`                // scanned, including unchanged ones
	TotalFiles  int `json:"totalFiles"`           // 0 until it is known
	Symbols     int `json:"symbols"`              // found by this scan
	Percent     int `json:"percent"`              // 0 to 100
	SecondsLeft int `json:"secondsLeft,omitzero"` // an estimate, if there is one
}
