-- Each turn asks for the newest message of its conversation. With the parents in the index, all messages of the
-- conversation were read for it.
DROP INDEX messages_by_conversation;
CREATE INDEX messages_by_conversation ON messages (conversation_id);
