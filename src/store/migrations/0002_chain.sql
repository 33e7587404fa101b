-- The chain itself. Everything with a masterchain seqno is divided by it, so that old history goes by dropping partitions; the
-- writer makes the partitions. Unique keys hold what a table would be distributed by: the account, or a hash of its own.
--
-- Addresses are 33 bytes: the workchain, then the hash; addr_none is empty. Amounts are bigint; one that does not fit is null in
-- its column and stands in `large`, by the name of the column.

-- What this database is an index of. One row.
CREATE TABLE index_state (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  zero_state bytea NOT NULL,
  partition_width integer NOT NULL CHECK (partition_width > 0),
  -- Blocks below it were indexed once and dropped since.
  retained_from integer NOT NULL DEFAULT 0,
  -- Null where all accounts are kept.
  watched_accounts bytea[]
);

-- Masterchain blocks whose rows are all there. Ranges that meet become one.
CREATE TABLE covered_ranges (
  first_seqno integer PRIMARY KEY,
  last_seqno integer NOT NULL CHECK (last_seqno >= first_seqno),
  -- The blocks that blocks of the range follow and that are not in it: what comes below must have them. See lowerEdge.ts.
  lower_edge bytea[] NOT NULL
);

-- One row for each masterchain block that was indexed, with a hash over the rows that come from it.
CREATE TABLE indexed_blocks (
  mc_seqno integer NOT NULL,
  gen_utime integer NOT NULL,
  tx_count integer NOT NULL,
  committed_at timestamptz NOT NULL,
  digest bytea NOT NULL,
  PRIMARY KEY (mc_seqno)
) PARTITION BY RANGE (mc_seqno);

CREATE TABLE blocks (
  shard bigint NOT NULL,
  start_lt bigint NOT NULL,
  end_lt bigint NOT NULL,
  workchain integer NOT NULL,
  seqno integer NOT NULL,
  -- The masterchain block that was the first to include it.
  mc_seqno integer NOT NULL,
  gen_utime integer NOT NULL,
  tx_count integer NOT NULL,
  global_id integer NOT NULL,
  version integer NOT NULL,
  -- One bit each: see blockFlags.ts.
  header_bits smallint NOT NULL,
  flags smallint NOT NULL,
  validator_list_hash_short integer NOT NULL,
  gen_catchain_seqno integer NOT NULL,
  min_ref_mc_seqno integer NOT NULL,
  prev_key_block_seqno integer NOT NULL,
  vert_seqno integer NOT NULL,
  master_ref_seqno integer NOT NULL,
  prev_seqnos integer[] NOT NULL,
  root_hash bytea NOT NULL,
  file_hash bytea NOT NULL,
  rand_seed bytea NOT NULL,
  created_by bytea NOT NULL,
  PRIMARY KEY (mc_seqno, workchain, shard, seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX blocks_by_place ON blocks (seqno, workchain, shard);
CREATE INDEX blocks_by_utime ON blocks (gen_utime);
CREATE INDEX blocks_by_lt ON blocks (start_lt);
CREATE INDEX blocks_by_root_hash ON blocks USING hash (root_hash);
CREATE INDEX blocks_by_file_hash ON blocks USING hash (file_hash);

-- The newest block of every shard as a masterchain block knows them.
CREATE TABLE shard_tops (
  shard bigint NOT NULL,
  mc_seqno integer NOT NULL,
  workchain integer NOT NULL,
  seqno integer NOT NULL,
  PRIMARY KEY (mc_seqno, workchain, shard)
) PARTITION BY RANGE (mc_seqno);

-- A transaction with the message it received: every message that was received is here once and nowhere else.
CREATE TABLE transactions (
  lt bigint NOT NULL,
  prev_lt bigint NOT NULL,
  block_shard bigint NOT NULL,
  total_fees bigint,
  -- The account afterwards, where the block tells it: after the last of its transactions in the block.
  balance bigint,
  in_value bigint,
  in_fwd_fee bigint,
  in_ihr_fee bigint,
  in_import_fee bigint,
  in_created_lt bigint,
  now integer NOT NULL,
  mc_seqno integer NOT NULL,
  block_seqno integer NOT NULL,
  in_created_at integer,
  in_opcode integer,
  -- Codes: see transactionCodes.ts.
  orig_status smallint NOT NULL,
  end_status smallint NOT NULL,
  in_bits smallint NOT NULL,
  -- Its messages have the logical times lt + 1 to lt + out_count.
  out_count smallint NOT NULL,
  account bytea NOT NULL,
  hash bytea NOT NULL,
  -- Null for the first of an account.
  prev_hash bytea,
  -- Null where there was no account.
  state_before bytea,
  state_after bytea NOT NULL,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  in_hash bytea,
  -- Only where it differs.
  in_hash_norm bytea,
  in_source bytea,
  in_body_hash bytea,
  in_init_hash bytea,
  -- The cell of the description: see packDescription.ts.
  description bytea NOT NULL,
  total_fees_extra jsonb,
  balance_extra jsonb,
  in_value_extra jsonb,
  in_extra_flags numeric,
  large jsonb,
  trace_id bytea NOT NULL,
  PRIMARY KEY (account, lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
-- Messages by their sender are found from its transactions, whose messages have the logical times that follow theirs; those by
-- their receiver from its transactions, which cannot be older than what they received. Each saves an index as wide as the key.
CREATE INDEX transactions_by_lt ON transactions (lt);
CREATE INDEX transactions_by_trace ON transactions USING hash (trace_id);
CREATE INDEX transactions_by_in_hash ON transactions USING hash (in_hash);
CREATE INDEX transactions_by_in_hash_norm ON transactions USING hash (in_hash_norm) WHERE in_hash_norm IS NOT NULL;
CREATE INDEX transactions_by_in_body ON transactions USING hash (in_body_hash);
CREATE INDEX transactions_by_in_lt ON transactions (in_created_lt) WHERE in_created_lt IS NOT NULL;
CREATE INDEX transactions_by_in_opcode ON transactions (in_opcode, in_created_lt) WHERE in_opcode IS NOT NULL;
-- Only the beginning of the hash: what is the same there is sorted as it is read.
CREATE INDEX transactions_by_external ON transactions (substring(in_hash FROM 1 FOR 8)) WHERE in_created_lt IS NULL AND in_hash IS NOT NULL;

-- From the first eight bytes of a transaction's hash to its place. Not divided, so that one look is enough.
CREATE TABLE transaction_lookup (
  hash_key bigint NOT NULL,
  lt bigint NOT NULL,
  mc_seqno integer NOT NULL
);
CREATE INDEX transaction_lookup_by_hash ON transaction_lookup (hash_key);
CREATE INDEX transaction_lookup_by_seqno ON transaction_lookup USING brin (mc_seqno);

-- Messages that no transaction here has received: those that leave the chain, those under way, and those to accounts that are
-- not watched. One that arrives moves into its transaction.
CREATE TABLE unreceived_messages (
  created_lt bigint NOT NULL,
  value bigint,
  fwd_fee bigint,
  ihr_fee bigint,
  created_at integer NOT NULL,
  -- Of its sender.
  mc_seqno integer NOT NULL,
  opcode integer,
  -- As in_bits of transactions.
  bits smallint NOT NULL,
  account bytea NOT NULL,
  destination bytea,
  hash bytea NOT NULL,
  body_hash bytea,
  init_hash bytea,
  value_extra jsonb,
  extra_flags numeric,
  large jsonb,
  trace_id bytea NOT NULL,
  PRIMARY KEY (account, created_lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX unreceived_messages_by_lt ON unreceived_messages (created_lt);
CREATE INDEX unreceived_messages_by_destination ON unreceived_messages (destination, created_lt) WHERE destination IS NOT NULL;
CREATE INDEX unreceived_messages_by_opcode ON unreceived_messages (opcode, created_lt) WHERE opcode IS NOT NULL;
CREATE INDEX unreceived_messages_by_hash ON unreceived_messages USING hash (hash);
CREATE INDEX unreceived_messages_by_body ON unreceived_messages USING hash (body_hash);
CREATE INDEX unreceived_messages_by_trace ON unreceived_messages USING hash (trace_id);

-- Bodies and initial states of messages, once in each partition; `mc_seqno` is the first of the partition. The empty cell is
-- not kept. Packed: see packCell.ts.
CREATE TABLE message_contents (
  mc_seqno integer NOT NULL,
  hash bytea NOT NULL,
  content bytea NOT NULL
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX message_contents_by_hash ON message_contents USING hash (hash);

-- Finished traces, in the partition of their last block. The message that began one is that of its first transaction, whose hash is
-- the id.
CREATE TABLE traces (
  start_lt bigint NOT NULL,
  end_lt bigint NOT NULL,
  mc_seqno_start integer NOT NULL,
  mc_seqno integer NOT NULL,
  start_utime integer NOT NULL,
  end_utime integer NOT NULL,
  transactions integer NOT NULL,
  messages integer NOT NULL,
  trace_id bytea NOT NULL,
  PRIMARY KEY (trace_id, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX traces_by_lt ON traces (end_lt);
CREATE INDEX traces_by_utime ON traces (end_utime);
CREATE INDEX traces_by_seqno ON traces (mc_seqno);

-- Traces with messages under way, and those whose beginning is not known (`orphan_hash`: the message that their first known
-- transaction received). The messages under way are in unreceived_messages.
CREATE TABLE open_traces (
  start_lt bigint NOT NULL,
  end_lt bigint NOT NULL,
  mc_seqno_start integer NOT NULL,
  mc_seqno_end integer NOT NULL,
  start_utime integer NOT NULL,
  end_utime integer NOT NULL,
  transactions integer NOT NULL,
  messages integer NOT NULL,
  pending integer NOT NULL,
  trace_id bytea NOT NULL PRIMARY KEY,
  orphan_hash bytea
);

-- Every account as it is now. Data that is null where its hash is not is unknown.
CREATE TABLE latest_account_states (
  balance bigint,
  last_lt bigint NOT NULL,
  now integer NOT NULL,
  mc_seqno integer NOT NULL,
  status smallint NOT NULL,
  account bytea NOT NULL PRIMARY KEY,
  hash bytea NOT NULL,
  last_hash bytea NOT NULL,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  balance_extra jsonb,
  large jsonb,
  data bytea
);
CREATE INDEX latest_account_states_by_balance ON latest_account_states (balance DESC NULLS FIRST);

-- Code by its hash, with the numbers of its methods; null where it begins otherwise than contracts do.
CREATE TABLE codes (
  code_hash bytea NOT NULL PRIMARY KEY,
  code bytea NOT NULL,
  methods bigint[]
);
