-- Times are Unix milliseconds. A column with the comment JSON holds JSON text.

CREATE TABLE conversations (
    id         TEXT PRIMARY KEY,
    title      TEXT NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX conversations_by_update ON conversations (updated_at);

-- The messages of a conversation form a tree. The first message has no parent.
CREATE TABLE messages (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    parent_id       TEXT,
    role            TEXT NOT NULL,
    text            TEXT NOT NULL DEFAULT '',
    status          TEXT NOT NULL,
    request_id      TEXT NOT NULL DEFAULT '',
    model           TEXT NOT NULL DEFAULT '',
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    extra           TEXT NOT NULL DEFAULT '{}' -- JSON
) STRICT;
CREATE INDEX messages_by_conversation ON messages (conversation_id, parent_id);
CREATE INDEX messages_by_request ON messages (request_id);
CREATE INDEX messages_by_status ON messages (status);

CREATE TABLE tool_calls (
    id              TEXT PRIMARY KEY,
    request_id      TEXT NOT NULL,
    parent_id       TEXT,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    call_id         TEXT NOT NULL, -- the model's ID for the call
    seq             INTEGER NOT NULL DEFAULT 0,
    tool            TEXT NOT NULL,
    arguments       TEXT NOT NULL DEFAULT '', -- JSON, as the model wrote it
    content         TEXT NOT NULL DEFAULT '', -- JSON
    summary         TEXT NOT NULL DEFAULT '',
    error           TEXT NOT NULL DEFAULT '',
    code            TEXT NOT NULL DEFAULT '',
    started_at      INTEGER NOT NULL,
    duration_ms     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX tool_calls_by_request ON tool_calls (request_id, seq);
CREATE INDEX tool_calls_by_call ON tool_calls (conversation_id, call_id);

-- What was sent to which provider. Rows remain when their conversation is deleted.
CREATE TABLE ledger (
    id              TEXT PRIMARY KEY,
    request_id      TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    provider        TEXT NOT NULL,
    model           TEXT NOT NULL,
    sent            TEXT NOT NULL DEFAULT '[]', -- JSON: byte ranges by file and hash
    tokens_in       INTEGER NOT NULL DEFAULT 0,
    tokens_out      INTEGER NOT NULL DEFAULT 0,
    tokens_cached   INTEGER NOT NULL DEFAULT 0,
    cost            REAL NOT NULL DEFAULT 0,
    latency_ms      INTEGER NOT NULL DEFAULT 0,
    created_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX ledger_by_time ON ledger (created_at);

-- Proposals remain when their conversation is deleted, since their changes may still be
-- undone.
CREATE TABLE proposals (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL DEFAULT '',
    request_id      TEXT NOT NULL DEFAULT '',
    call_id         TEXT NOT NULL DEFAULT '',
    title           TEXT NOT NULL DEFAULT '',
    body            TEXT NOT NULL, -- JSON
    status          TEXT NOT NULL, -- derived from the body
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL
) STRICT;
CREATE INDEX proposals_by_request ON proposals (request_id);
CREATE INDEX proposals_by_status ON proposals (status, created_at);
CREATE INDEX proposals_by_conversation ON proposals (conversation_id);

-- Texts by their hash: the content of files before they were changed.
CREATE TABLE blobs (
    hash TEXT PRIMARY KEY,
    text BLOB NOT NULL
) STRICT, WITHOUT ROWID;
