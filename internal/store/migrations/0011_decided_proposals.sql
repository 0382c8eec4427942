-- Each request asks for the proposals of its conversation whose decision has taken effect. The index has all that it
-- asks for, since in a row the state is behind all of the proposal's changes.
CREATE INDEX proposals_decided ON proposals (conversation_id, status, id, request_id, updated_at)
    WHERE status NOT IN ('staged', 'accepted', 'withdrawn');
