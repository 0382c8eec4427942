-- The plans for the proposal that a process is carrying out, by id, each with its owner.
ALTER TABLE proposals ADD COLUMN in_flight TEXT NOT NULL DEFAULT '{}'; -- JSON
CREATE INDEX proposals_in_flight ON proposals (id) WHERE in_flight <> '{}';
