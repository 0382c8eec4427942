-- What a proposal does to one file. A call that adds a file to a proposal of many stores only what it adds.
CREATE TABLE proposal_changes (
    proposal_id TEXT NOT NULL REFERENCES proposals (id) ON DELETE CASCADE,
    position    INTEGER NOT NULL, -- among the changes of the proposal, from 0
    change      TEXT NOT NULL,    -- JSON
    PRIMARY KEY (proposal_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO proposal_changes (proposal_id, position, change)
    SELECT proposals.id, c.key, c.value
    FROM proposals, json_each(CASE WHEN json_valid(body) THEN body ELSE '{}' END, '$.changes') c
    WHERE c.type = 'object';
UPDATE proposals SET body = json_remove(body, '$.changes') WHERE json_valid(body);
