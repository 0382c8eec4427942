CREATE TABLE meta (
	key   TEXT PRIMARY KEY,
	value INTEGER NOT NULL
) WITHOUT ROWID;

-- Every file that was read; skip says why one is not indexed after all.
CREATE TABLE files (
	id       INTEGER PRIMARY KEY AUTOINCREMENT,
	rel      TEXT NOT NULL UNIQUE,
	size     INTEGER NOT NULL,
	modified INTEGER NOT NULL, -- unix nanoseconds, 0 to read the file again
	hash     TEXT NOT NULL,
	lines    INTEGER NOT NULL,
	language TEXT NOT NULL,
	skip     TEXT NOT NULL,
	symbols  INTEGER NOT NULL,
	refs     INTEGER NOT NULL,
	problems INTEGER NOT NULL
);

-- What a file declares and mentions, each in one value; see symbols_code.go and
-- references_code.go.
CREATE TABLE contents (
	file    INTEGER PRIMARY KEY,
	symbols BLOB NOT NULL,
	refs    BLOB NOT NULL
);

-- What the last commits of the folder's repository were about, the newest first.
CREATE TABLE commits (
	place   INTEGER PRIMARY KEY,
	id      TEXT NOT NULL,
	subject TEXT NOT NULL,
	files   TEXT NOT NULL -- paths with a NUL after each
);

-- The segments that are valid; dead says which of their documents are not, see dead.go.
CREATE TABLE segments (
	id    INTEGER PRIMARY KEY,
	bytes INTEGER NOT NULL,
	dead  BLOB NOT NULL
);

-- The pieces of a file that have vectors, see dense_passages.go; no row: not cut yet.
CREATE TABLE passages (
	file   INTEGER PRIMARY KEY,
	places BLOB NOT NULL
);
