-- The text that a running turn has streamed since its message was last stored as a whole:
-- pieces that follow the message's own text, in the order of their ids.
CREATE TABLE streamed_text (
    id         INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL REFERENCES messages (id) ON DELETE CASCADE,
    text       TEXT NOT NULL
) STRICT;
CREATE INDEX streamed_text_by_message ON streamed_text (message_id, id);
