CREATE TABLE meta (
	key   TEXT PRIMARY KEY,
	value INTEGER NOT NULL
) WITHOUT ROWID;

-- Every file that was read. skip is why a file is not indexed, otherwise empty. The symbols
-- and references are in the segments.
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

-- The last commits of the folder's repository, the newest first.
CREATE TABLE commits (
	place   INTEGER PRIMARY KEY,
	id      TEXT NOT NULL,
	subject TEXT NOT NULL,
	files   TEXT NOT NULL, -- paths with a NUL after each
	renames TEXT NOT NULL  -- the same, the old and the new path of each renamed file
);

-- The valid segments. dead are their tombstones, see tombstones.go.
CREATE TABLE segments (
	id    INTEGER PRIMARY KEY,
	bytes INTEGER NOT NULL,
	sum   INTEGER NOT NULL, -- of the file, so that it can't be another one
	dead  BLOB NOT NULL
);

-- The passages of a file, see dense_passages.go; no row: not cut yet.
CREATE TABLE passages (
	file   INTEGER PRIMARY KEY,
	places BLOB NOT NULL
);
