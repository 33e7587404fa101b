-- What happened in traces, said in words, and traces that are found by account otherwise than through its transactions.

-- Traces that took long, once for each account that has a transaction in them: see longTraces.ts. The others that an account takes
-- part in end soon after its own transaction, so they are found from there.
CREATE TABLE long_traces (
  start_lt bigint NOT NULL,
  end_lt bigint NOT NULL,
  mc_seqno_start integer NOT NULL,
  mc_seqno integer NOT NULL,
  start_utime integer NOT NULL,
  end_utime integer NOT NULL,
  transactions integer NOT NULL,
  messages integer NOT NULL,
  trace_id bytea NOT NULL,
  account bytea NOT NULL,
  PRIMARY KEY (account, trace_id, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX long_traces_by_lt ON long_traces (account, end_lt);
CREATE INDEX long_traces_by_utime ON long_traces (account, end_utime);

-- In the partition of the trace's last block, with what they are ordered by: the end of the trace.
CREATE TABLE actions (
  start_lt bigint NOT NULL,
  end_lt bigint NOT NULL,
  trace_end_lt bigint NOT NULL,
  start_utime integer NOT NULL,
  end_utime integer NOT NULL,
  trace_end_utime integer NOT NULL,
  mc_seqno integer NOT NULL,
  success boolean,
  -- What it is asked for by.
  type text COLLATE "C" NOT NULL,
  -- What it is called, where that is not its type.
  shown_type text COLLATE "C",
  trace_id bytea NOT NULL,
  -- Unique in its trace only: a message may be in several.
  action_id bytea NOT NULL,
  -- The hashes of its transactions.
  transactions bytea[] NOT NULL,
  accounts bytea[] NOT NULL,
  -- The types of those that it is a part of; null where it is no part.
  ancestor_types text[],
  -- As it is shown, in the neutral dialect.
  details jsonb NOT NULL,
  -- What else is shown of a type without a shape of its own.
  raw_action jsonb,
  PRIMARY KEY (trace_id, action_id, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX actions_by_id ON actions USING hash (action_id);
CREATE INDEX actions_by_lt ON actions (trace_end_lt);
CREATE INDEX actions_by_utime ON actions (trace_end_utime);
CREATE INDEX actions_by_type ON actions (type, trace_end_lt);
CREATE INDEX actions_by_type_utime ON actions (type, trace_end_utime);

-- The accounts of actions, with what decides whether one is wanted, and where it stands.
CREATE TABLE action_accounts (
  end_lt bigint NOT NULL,
  trace_end_lt bigint NOT NULL,
  end_utime integer NOT NULL,
  trace_end_utime integer NOT NULL,
  mc_seqno integer NOT NULL,
  account bytea NOT NULL,
  trace_id bytea NOT NULL,
  action_id bytea NOT NULL,
  type text COLLATE "C" NOT NULL,
  ancestor_types text[]
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX action_accounts_by_lt ON action_accounts (account, trace_end_lt);
CREATE INDEX action_accounts_by_utime ON action_accounts (account, trace_end_utime);
CREATE INDEX action_accounts_by_seqno ON action_accounts USING brin (mc_seqno);

-- An index that has begun gets what the writer would have made.
DO $$
DECLARE
  present record;
  made text;
BEGIN
  FOR present IN
    SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'traces'::regclass
  LOOP
    FOREACH made IN ARRAY ARRAY['long_traces', 'actions', 'action_accounts'] LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF %I %s', replace(present.name, 'traces', made), made, present.bounds);
    END LOOP;
  END LOOP;
END $$;

INSERT INTO long_traces
SELECT DISTINCT t.start_lt, t.end_lt, t.mc_seqno_start, t.mc_seqno, t.start_utime, t.end_utime, t.transactions, t.messages,
  t.trace_id, x.account
FROM traces t JOIN transactions x ON x.trace_id = t.trace_id
WHERE t.end_lt - t.start_lt > 50000000 OR t.end_utime - t.start_utime > 120 OR t.mc_seqno - t.mc_seqno_start > 1000;
