-- What the user has permitted or forbidden for ever in this workspace.
CREATE TABLE permissions (
    key        TEXT PRIMARY KEY,
    allowed    INTEGER NOT NULL, -- 0 or 1
    title      TEXT NOT NULL,    -- of the question that was answered
    created_at INTEGER NOT NULL
) STRICT;
