-- What a person saw in an answer beside its text and its calls, in the order of the ids: what the
-- model thought, and notices. Pieces of the same kind and place belong together.
CREATE TABLE asides (
    id         INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    kind       TEXT NOT NULL,    -- thought, notice, retry
    text       TEXT NOT NULL,
    steps      INTEGER NOT NULL, -- how many responses of the answer were complete by then
    at         INTEGER NOT NULL  -- how long the answer's text was by then, in bytes
) STRICT;
CREATE INDEX asides_by_message ON asides (message_id, id);
