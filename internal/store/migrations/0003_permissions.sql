-- What the user always allows or rejects in this workspace.
CREATE TABLE permissions (
    key        TEXT PRIMARY KEY,
    allowed    INTEGER NOT NULL, -- 0 or 1
    title      TEXT NOT NULL,    -- of the permission prompt
    created_at INTEGER NOT NULL
) STRICT;
