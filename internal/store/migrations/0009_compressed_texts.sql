-- A column of type ANY holds a text: plain as TEXT, or compressed as BLOB. What is stored already stays
-- plain.
CREATE TABLE new_tool_calls (
    id              TEXT PRIMARY KEY,
    request_id      TEXT NOT NULL,
    parent_id       TEXT,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    call_id         TEXT NOT NULL, -- the model's ID for the call
    seq             INTEGER NOT NULL DEFAULT 0,
    tool            TEXT NOT NULL,
    summary         TEXT NOT NULL DEFAULT '',
    error           TEXT NOT NULL DEFAULT '',
    code            TEXT NOT NULL DEFAULT '',
    started_at      INTEGER NOT NULL,
    duration_ms     INTEGER NOT NULL DEFAULT 0,
    secrets         TEXT NOT NULL DEFAULT 'null', -- JSON: the secrets in the content, as the files that it shows tell them
    arguments       ANY NOT NULL DEFAULT '', -- JSON, as the model wrote it
    content         ANY NOT NULL DEFAULT ''  -- JSON
) STRICT;
INSERT INTO new_tool_calls (id, request_id, parent_id, conversation_id, call_id, seq, tool, summary, error, code, started_at, duration_ms, secrets, arguments, content)
    SELECT id, request_id, parent_id, conversation_id, call_id, seq, tool, summary, error, code, started_at, duration_ms, secrets, arguments, content
    FROM tool_calls ORDER BY rowid;
DROP TABLE tool_calls;
ALTER TABLE new_tool_calls RENAME TO tool_calls;
CREATE INDEX tool_calls_by_request ON tool_calls (request_id, seq);
CREATE INDEX tool_calls_by_call ON tool_calls (conversation_id, call_id);

-- What was sent to which provider. Rows remain when their conversation is deleted.
CREATE TABLE new_ledger (
    id              TEXT PRIMARY KEY,
    request_id      TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    provider        TEXT NOT NULL,
    host            TEXT NOT NULL DEFAULT '', -- that the request was sent to
    model           TEXT NOT NULL,
    tokens_in       INTEGER NOT NULL DEFAULT 0,
    tokens_out      INTEGER NOT NULL DEFAULT 0,
    tokens_cached   INTEGER NOT NULL DEFAULT 0,
    cost            REAL NOT NULL DEFAULT 0,
    latency_ms      INTEGER NOT NULL DEFAULT 0,
    created_at      INTEGER NOT NULL,
    sent            TEXT NOT NULL DEFAULT '[]', -- JSON: messages by size and hash
    files           ANY NOT NULL DEFAULT '[]'   -- JSON: the pieces of files in the request
) STRICT;
INSERT INTO new_ledger (id, request_id, conversation_id, provider, host, model, tokens_in, tokens_out, tokens_cached, cost, latency_ms, created_at, sent, files)
    SELECT id, request_id, conversation_id, provider, host, model, tokens_in, tokens_out, tokens_cached, cost, latency_ms, created_at, sent, files
    FROM ledger ORDER BY rowid;
DROP TABLE ledger;
ALTER TABLE new_ledger RENAME TO ledger;
CREATE INDEX ledger_by_time ON ledger (created_at);

-- What is long in the JSON of a message that is not pending; NULL: extra has everything.
ALTER TABLE messages ADD COLUMN long_extra ANY;
-- Only pending messages are looked for by their status.
DROP INDEX messages_by_status;
CREATE INDEX messages_pending ON messages (request_id) WHERE status = 'pending';
-- Each turn asks whether a proposal of its conversation waits.
CREATE INDEX proposals_waiting ON proposals (conversation_id) WHERE status IN ('staged', 'partial');

-- Whether the text is compressed.
ALTER TABLE blobs ADD COLUMN packed INTEGER NOT NULL DEFAULT 0;
