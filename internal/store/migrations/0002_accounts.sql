-- Whom a request went to, and which pieces of files it held.
ALTER TABLE ledger ADD COLUMN host TEXT NOT NULL DEFAULT '';
ALTER TABLE ledger ADD COLUMN files TEXT NOT NULL DEFAULT '[]'; -- JSON
