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
	language TEXT NOT NULL,
	skip     TEXT NOT NULL,
	symbols  INTEGER NOT NULL,
	refs     INTEGER NOT NULL,
	problems INTEGER NOT NULL,
	segment  INTEGER NOT NULL, -- where its postings are
	doc      INTEGER NOT NULL
);

CREATE TABLE symbols (
	file       INTEGER NOT NULL,
	ordinal    INTEGER NOT NULL,
	name       TEXT NOT NULL,
	canon      TEXT NOT NULL,
	kind       TEXT NOT NULL,
	detail     TEXT NOT NULL,
	parent     INTEGER NOT NULL,
	start      INTEGER NOT NULL,
	end        INTEGER NOT NULL,
	start_line INTEGER NOT NULL,
	end_line   INTEGER NOT NULL,
	name_start INTEGER NOT NULL,
	name_end   INTEGER NOT NULL,
	body_start INTEGER NOT NULL,
	doc_start  INTEGER NOT NULL,
	doc_end    INTEGER NOT NULL,
	PRIMARY KEY (file, ordinal)
) WITHOUT ROWID;

CREATE INDEX symbols_name ON symbols (name COLLATE NOCASE);

-- A file's references in one value; see references_code.go.
CREATE TABLE refs (
	file INTEGER PRIMARY KEY,
	data BLOB NOT NULL
);

-- The segments that are valid.
CREATE TABLE segments (
	id    INTEGER PRIMARY KEY,
	bytes INTEGER NOT NULL
);
