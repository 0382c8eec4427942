-- The host that a request was sent to, and the pieces of files in the request.
ALTER TABLE ledger ADD COLUMN host TEXT NOT NULL DEFAULT '';
ALTER TABLE ledger ADD COLUMN files TEXT NOT NULL DEFAULT '[]'; -- JSON
