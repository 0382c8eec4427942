-- What is known of a proposal besides its changes: a row for each source, of the version that it has looked at last.
CREATE TABLE evidence (
    proposal_id TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
    source      TEXT NOT NULL, -- such as "go vet"
    version     TEXT NOT NULL, -- names the proposed texts
    owner       TEXT NOT NULL, -- JSON: the process that runs it, as package lease knows it; "" once it has ended
    body        TEXT NOT NULL, -- JSON
    PRIMARY KEY (proposal_id, source)
) STRICT, WITHOUT ROWID;
