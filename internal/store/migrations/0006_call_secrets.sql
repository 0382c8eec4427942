-- The secrets in a call's content, as the files that it shows tell them.
ALTER TABLE tool_calls ADD COLUMN secrets TEXT NOT NULL DEFAULT 'null'; -- JSON
