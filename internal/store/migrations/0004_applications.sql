-- Changes that are being written to files. Whoever writes holds the lock beside
-- this database, so that a row that is found while holding it is of a writer
-- that is gone.
CREATE TABLE applications (
    id          TEXT PRIMARY KEY,
    proposal_id TEXT NOT NULL,
    phase       TEXT NOT NULL, -- preparing, committing, written
    body        TEXT NOT NULL, -- JSON: the plan and its steps
    created_at  INTEGER NOT NULL
) STRICT;

-- When a proposal was last stored that needs the text.
ALTER TABLE blobs ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;
