-- Masterchain blocks whose traces, those that ended in them, are to be classified: for the first time, or again. A block may be here
-- several times: while history is filled in, traces that ended in it long ago turn out to be whole.
CREATE TABLE unclassified_blocks (
  mc_seqno integer NOT NULL
);
CREATE INDEX unclassified_blocks_by_seqno ON unclassified_blocks (mc_seqno);

INSERT INTO unclassified_blocks SELECT DISTINCT mc_seqno FROM traces;
