-- Seven bytes of a trace id and of a content's hash, as of every other hash (migration 0012); queries compare the whole value as well. A
-- rebuild fills a B-tree to the brim, and the transactions of a trace share an entry; a hash index has neither.
DROP INDEX transactions_by_trace;
CREATE INDEX transactions_by_trace ON transactions (substring(trace_id FROM 1 FOR 7));
DROP INDEX message_contents_by_hash;
CREATE INDEX message_contents_by_hash ON message_contents (substring(hash FROM 1 FOR 7));
