-- The accounts of actions by a hash that every supported server can compute: hashbyteaextended is of 18. Where 0008 was applied with
-- it, the two indexes are built anew, and nothing is written to actions meanwhile.
DO $$
BEGIN
  IF pg_get_indexdef('action_accounts_by_lt'::regclass) LIKE '%hashbyteaextended%' THEN
    DROP INDEX action_accounts_by_lt, action_accounts_by_utime;
    CREATE INDEX action_accounts_by_lt ON action_accounts (hash_array_extended(ARRAY[account], 0), trace_end_lt);
    CREATE INDEX action_accounts_by_utime ON action_accounts (hash_array_extended(ARRAY[account], 0), trace_end_utime);
  END IF;
END $$;
