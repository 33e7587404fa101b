-- Balances of jetton wallets after each masterchain block in which they had a transaction, for the event log: jetton_wallets has only the
-- newest. Blocks indexed before this migration have none. Of blocks indexed in one batch, or as history, only the newest is known.
CREATE TABLE jetton_balances (
  lt bigint NOT NULL,
  mc_seqno integer NOT NULL,
  balance numeric NOT NULL,
  address bytea NOT NULL
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX jetton_balances_by_seqno ON jetton_balances (mc_seqno);

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
      'CREATE TABLE %I PARTITION OF jetton_balances %s', replace(present.name, 'actions', 'jetton_balances'), present.bounds
    );
  END LOOP;
END $$;
