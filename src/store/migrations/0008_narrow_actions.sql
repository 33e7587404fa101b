-- Actions in less room.
-- formerly e42cb21c39c746ff15c7f1c72f3158dcf26536134ef9663c56245222e698aeb1: with hashbyteaextended, which servers before 18 do not have; 0011 puts that right.

-- The accounts of actions, as before, but of hashes with as much as tells them apart and puts them in order: eight bytes.
DROP TABLE action_accounts;
CREATE TABLE action_accounts (
  end_lt bigint NOT NULL,
  trace_end_lt bigint NOT NULL,
  end_utime integer NOT NULL,
  trace_end_utime integer NOT NULL,
  mc_seqno integer NOT NULL,
  account bytea NOT NULL,
  -- How trace_id and action_id begin.
  trace_start bytea NOT NULL,
  action_start bytea NOT NULL,
  type text COLLATE "C" NOT NULL,
  ancestor_types text[]
) PARTITION BY RANGE (mc_seqno);
-- By a hash of the account, since the account itself would take four times the room.
CREATE INDEX action_accounts_by_lt ON action_accounts (hash_array_extended(ARRAY[account], 0), trace_end_lt);
CREATE INDEX action_accounts_by_utime ON action_accounts (hash_array_extended(ARRAY[account], 0), trace_end_utime);
CREATE INDEX action_accounts_by_seqno ON action_accounts USING brin (mc_seqno) WITH (pages_per_range = 16, autosummarize = on);

DO $$
DECLARE
  present record;
BEGIN
  FOR present IN
    SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'actions'::regclass
  LOOP
    EXECUTE format(
      'CREATE TABLE %I PARTITION OF action_accounts %s', replace(present.name, 'actions', 'action_accounts'), present.bounds
    );
  END LOOP;
END $$;

INSERT INTO action_accounts
SELECT a.end_lt, a.trace_end_lt, a.end_utime, a.trace_end_utime, a.mc_seqno, k.account, substring(a.trace_id FOR 8),
  substring(a.action_id FOR 8), a.type, a.ancestor_types
FROM actions a CROSS JOIN LATERAL unnest(a.accounts) AS k (account);

-- Nobody asks for one of a trace's actions without the others, and nothing but the writer keeps them from being there twice.
ALTER TABLE actions DROP CONSTRAINT actions_pkey;
CREATE INDEX actions_by_trace ON actions USING hash (trace_id);
-- What was said of a block is replaced as a whole.
CREATE INDEX actions_by_seqno ON actions USING brin (mc_seqno) WITH (pages_per_range = 16, autosummarize = on);

-- From now on an address in details may be the place of it among the accounts: see packDetails.ts. A text that begins with the sign
-- of that begins with two of them.
UPDATE actions SET details = replace(details::text, '"\u0001', '"\u0001\u0001')::jsonb WHERE details::text LIKE '%"\\u0001%';
