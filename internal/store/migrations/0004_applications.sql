-- Changes that are being written to files. The writer holds the lock beside this
-- database. A process that acquires the lock and finds a row knows that the row's writer
-- is gone.
CREATE TABLE applications (
    id          TEXT PRIMARY KEY,
    proposal_id TEXT NOT NULL,
    phase       TEXT NOT NULL, -- preparing, committing, written
    body        TEXT NOT NULL, -- JSON: the plan and its steps
    created_at  INTEGER NOT NULL
) STRICT;

-- When a proposal that needs the text was last stored.
ALTER TABLE blobs ADD COLUMN used_at INTEGER NOT NULL DEFAULT 0;
