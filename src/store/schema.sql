-- Written by scripts/genSchema.ts from src/store/migrations; do not edit.

CREATE TABLE action_accounts (
  end_lt bigint NOT NULL,
  trace_end_lt bigint NOT NULL,
  end_utime integer NOT NULL,
  trace_end_utime integer NOT NULL,
  mc_seqno integer NOT NULL,
  account bytea NOT NULL,
  trace_start bytea NOT NULL,
  action_start bytea NOT NULL,
  type text NOT NULL,
  ancestor_types text[]
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX action_accounts_by_lt ON ONLY action_accounts USING btree (hash_array_extended(ARRAY[account], (0)::bigint), trace_end_lt);
CREATE INDEX action_accounts_by_seqno ON ONLY action_accounts USING brin (mc_seqno) WITH (pages_per_range='16', autosummarize='on');
CREATE INDEX action_accounts_by_utime ON ONLY action_accounts USING btree (hash_array_extended(ARRAY[account], (0)::bigint), trace_end_utime);

CREATE TABLE actions (
  start_lt bigint NOT NULL,
  end_lt bigint NOT NULL,
  trace_end_lt bigint NOT NULL,
  start_utime integer NOT NULL,
  end_utime integer NOT NULL,
  trace_end_utime integer NOT NULL,
  mc_seqno integer NOT NULL,
  success boolean,
  type text NOT NULL,
  shown_type text,
  trace_id bytea NOT NULL,
  action_id bytea NOT NULL,
  transactions bytea[] NOT NULL,
  accounts bytea[] NOT NULL,
  ancestor_types text[],
  details jsonb NOT NULL,
  raw_action jsonb
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX actions_by_id ON ONLY actions USING hash (action_id);
CREATE INDEX actions_by_lt ON ONLY actions USING btree (trace_end_lt);
CREATE INDEX actions_by_seqno ON ONLY actions USING brin (mc_seqno) WITH (pages_per_range='16', autosummarize='on');
CREATE INDEX actions_by_trace ON ONLY actions USING hash (trace_id);
CREATE INDEX actions_by_type ON ONLY actions USING btree (type, trace_end_lt);
CREATE INDEX actions_by_type_utime ON ONLY actions USING btree (type, trace_end_utime);
CREATE INDEX actions_by_utime ON ONLY actions USING btree (trace_end_utime);

CREATE TABLE address_metadata (
  next_try_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone,
  expires_at timestamp with time zone,
  tries integer NOT NULL,
  valid boolean,
  address bytea NOT NULL,
  type text NOT NULL,
  content_hash bytea,
  name text,
  description text,
  symbol text,
  image text,
  extra jsonb,
  error text,
  CONSTRAINT address_metadata_pkey PRIMARY KEY (address, type)
);
CREATE INDEX address_metadata_by_name ON address_metadata USING btree ("left"(lower(name), 64) COLLATE "C") WHERE (type = ANY (ARRAY['jetton_masters'::text, 'nft_collections'::text]));
CREATE INDEX address_metadata_by_symbol ON address_metadata USING btree ("left"(lower(symbol), 64) COLLATE "C") WHERE (type = ANY (ARRAY['jetton_masters'::text, 'nft_collections'::text]));
CREATE INDEX address_metadata_by_try ON address_metadata USING btree (next_try_at);

CREATE TABLE api_key_secret (
  mark bytea NOT NULL,
  CONSTRAINT api_key_secret_pkey PRIMARY KEY (mark)
);

CREATE TABLE api_key_usage (
  requests bigint NOT NULL,
  refused bigint NOT NULL,
  failed bigint NOT NULL,
  day integer NOT NULL,
  key_id text NOT NULL,
  endpoint text NOT NULL,
  CONSTRAINT api_key_usage_pkey PRIMARY KEY (key_id, day, endpoint)
);

CREATE TABLE api_keys (
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  change bigint NOT NULL,
  per_second double precision,
  burst integer,
  id text NOT NULL,
  network text NOT NULL,
  plan text NOT NULL,
  owner text NOT NULL,
  note text,
  replaced_by text,
  is_self_made boolean NOT NULL,
  hash bytea NOT NULL,
  scopes text[],
  CONSTRAINT api_keys_pkey PRIMARY KEY (id)
);
CREATE INDEX api_keys_by_change ON api_keys USING btree (change);
CREATE INDEX api_keys_by_owner ON api_keys USING btree (owner);

CREATE TABLE blocks (
  shard bigint NOT NULL,
  start_lt bigint NOT NULL,
  end_lt bigint NOT NULL,
  workchain integer NOT NULL,
  seqno integer NOT NULL,
  mc_seqno integer NOT NULL,
  gen_utime integer NOT NULL,
  tx_count integer NOT NULL,
  global_id integer NOT NULL,
  version integer NOT NULL,
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
  CONSTRAINT blocks_pkey PRIMARY KEY (mc_seqno, workchain, shard, seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX blocks_by_file_hash ON ONLY blocks USING hash (file_hash);
CREATE INDEX blocks_by_lt ON ONLY blocks USING btree (start_lt);
CREATE INDEX blocks_by_place ON ONLY blocks USING btree (seqno, workchain, shard);
CREATE INDEX blocks_by_root_hash ON ONLY blocks USING hash (root_hash);
CREATE INDEX blocks_by_shard ON ONLY blocks USING btree (workchain, shard, gen_utime);
CREATE INDEX blocks_by_utime ON ONLY blocks USING btree (gen_utime);
CREATE INDEX blocks_by_workchain ON ONLY blocks USING btree (workchain, gen_utime);
CREATE INDEX blocks_filled_by_shard ON ONLY blocks USING btree (workchain, shard, start_lt) WHERE (tx_count > 0);
CREATE INDEX blocks_filled_by_workchain ON ONLY blocks USING btree (workchain, gen_utime) WHERE (tx_count > 0);

CREATE TABLE codes (
  code_hash bytea NOT NULL,
  code bytea NOT NULL,
  methods bigint[],
  CONSTRAINT codes_pkey PRIMARY KEY (code_hash)
);

CREATE TABLE covered_ranges (
  first_seqno integer NOT NULL,
  last_seqno integer NOT NULL,
  lower_edge bytea[] NOT NULL,
  CONSTRAINT covered_ranges_pkey PRIMARY KEY (first_seqno),
  CONSTRAINT covered_ranges_check CHECK ((last_seqno >= first_seqno))
);

CREATE TABLE dex_pools (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  fee double precision,
  dex text NOT NULL,
  kind text NOT NULL,
  reserve_1 numeric,
  reserve_2 numeric,
  address bytea NOT NULL,
  asset_1 bytea,
  asset_2 bytea,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  CONSTRAINT dex_pools_pkey PRIMARY KEY (address)
);

CREATE TABLE dns_entries (
  last_lt bigint NOT NULL,
  domain text NOT NULL,
  nft_item_address bytea NOT NULL,
  nft_item_owner bytea,
  dns_next_resolver bytea,
  dns_wallet bytea,
  dns_site_adnl bytea,
  dns_storage_bag_id bytea,
  CONSTRAINT dns_entries_pkey PRIMARY KEY (nft_item_address)
);
CREATE INDEX dns_entries_by_domain ON dns_entries USING btree (domain);
CREATE INDEX dns_entries_by_wallet ON dns_entries USING btree (dns_wallet, length(domain), domain) WHERE (dns_wallet IS NOT NULL);

CREATE TABLE index_state (
  id smallint NOT NULL DEFAULT 1,
  zero_state bytea NOT NULL,
  partition_width integer NOT NULL,
  retained_from integer NOT NULL DEFAULT 0,
  watched_accounts bytea[],
  classifier_failing_since timestamp with time zone,
  classifier_failure text,
  CONSTRAINT index_state_pkey PRIMARY KEY (id),
  CONSTRAINT index_state_id_check CHECK ((id = 1)),
  CONSTRAINT index_state_partition_width_check CHECK ((partition_width > 0))
);

CREATE TABLE indexed_blocks (
  mc_seqno integer NOT NULL,
  gen_utime integer NOT NULL,
  tx_count integer NOT NULL,
  committed_at timestamp with time zone NOT NULL,
  digest bytea NOT NULL,
  CONSTRAINT indexed_blocks_pkey PRIMARY KEY (mc_seqno)
) PARTITION BY RANGE (mc_seqno);

CREATE TABLE jetton_balances (
  lt bigint NOT NULL,
  mc_seqno integer NOT NULL,
  balance numeric NOT NULL,
  address bytea NOT NULL
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX jetton_balances_by_seqno ON ONLY jetton_balances USING btree (mc_seqno);

CREATE TABLE jetton_burns (
  lt bigint NOT NULL,
  now integer NOT NULL,
  mc_seqno integer NOT NULL,
  aborted boolean NOT NULL,
  query_id numeric NOT NULL,
  amount numeric NOT NULL,
  account bytea NOT NULL,
  owner bytea NOT NULL,
  jetton_master bytea NOT NULL,
  response_destination bytea NOT NULL,
  custom_payload bytea,
  CONSTRAINT jetton_burns_pkey PRIMARY KEY (account, lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX jetton_burns_by_lt ON ONLY jetton_burns USING btree (lt);
CREATE INDEX jetton_burns_by_master ON ONLY jetton_burns USING btree (jetton_master, lt);
CREATE INDEX jetton_burns_by_owner ON ONLY jetton_burns USING btree (owner, lt);

CREATE TABLE jetton_masters (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  mintable boolean NOT NULL,
  total_supply numeric NOT NULL,
  address bytea NOT NULL,
  admin_address bytea,
  wallet_code_hash bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  content jsonb,
  CONSTRAINT jetton_masters_pkey PRIMARY KEY (address)
);
CREATE INDEX jetton_masters_by_admin ON jetton_masters USING btree (admin_address, since_lt) WHERE (admin_address IS NOT NULL);
CREATE INDEX jetton_masters_by_name ON jetton_masters USING btree ("left"(lower((content ->> 'name'::text)), 64) COLLATE "C");
CREATE INDEX jetton_masters_by_since ON jetton_masters USING btree (since_lt, address);
CREATE INDEX jetton_masters_by_symbol ON jetton_masters USING btree ("left"(lower((content ->> 'symbol'::text)), 64) COLLATE "C");

CREATE TABLE jetton_transfers (
  lt bigint NOT NULL,
  now integer NOT NULL,
  mc_seqno integer NOT NULL,
  aborted boolean NOT NULL,
  query_id numeric NOT NULL,
  amount numeric NOT NULL,
  forward_amount numeric NOT NULL,
  account bytea NOT NULL,
  source bytea NOT NULL,
  destination bytea NOT NULL,
  jetton_master bytea NOT NULL,
  response_destination bytea NOT NULL,
  custom_payload bytea,
  forward_payload bytea,
  CONSTRAINT jetton_transfers_pkey PRIMARY KEY (account, lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX jetton_transfers_by_destination ON ONLY jetton_transfers USING btree (destination, lt);
CREATE INDEX jetton_transfers_by_lt ON ONLY jetton_transfers USING btree (lt);
CREATE INDEX jetton_transfers_by_master ON ONLY jetton_transfers USING btree (jetton_master, lt);
CREATE INDEX jetton_transfers_by_source ON ONLY jetton_transfers USING btree (source, lt);

CREATE TABLE jetton_wallets (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  mintless_is_claimed boolean,
  balance numeric NOT NULL,
  address bytea NOT NULL,
  owner bytea NOT NULL,
  jetton bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  CONSTRAINT jetton_wallets_pkey PRIMARY KEY (address)
);
CREATE INDEX jetton_wallets_by_balance ON jetton_wallets USING btree (balance, address);
CREATE INDEX jetton_wallets_by_jetton ON jetton_wallets USING btree (jetton, since_lt);
CREATE INDEX jetton_wallets_by_jetton_balance ON jetton_wallets USING btree (jetton, balance);
CREATE INDEX jetton_wallets_by_owner ON jetton_wallets USING btree (owner, since_lt);
CREATE INDEX jetton_wallets_by_since ON jetton_wallets USING btree (since_lt, address);

CREATE TABLE latest_account_states (
  balance bigint,
  last_lt bigint NOT NULL,
  now integer NOT NULL,
  mc_seqno integer NOT NULL,
  status smallint NOT NULL,
  account bytea NOT NULL,
  hash bytea NOT NULL,
  last_hash bytea NOT NULL,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  balance_extra jsonb,
  large jsonb,
  data bytea,
  CONSTRAINT latest_account_states_pkey PRIMARY KEY (account)
);
CREATE INDEX latest_account_states_by_balance ON latest_account_states USING btree (balance, account);
CREATE INDEX latest_account_states_by_code ON latest_account_states USING btree (code_hash) WHERE (code_hash IS NOT NULL);

CREATE TABLE leases (
  name text NOT NULL,
  epoch bigint NOT NULL,
  holder text NOT NULL,
  backend_pid integer,
  acquired_at timestamp with time zone NOT NULL,
  renewed_at timestamp with time zone NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);

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
  CONSTRAINT long_traces_pkey PRIMARY KEY (account, trace_id, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX long_traces_by_lt ON ONLY long_traces USING btree (account, end_lt);
CREATE INDEX long_traces_by_utime ON ONLY long_traces USING btree (account, end_utime);

CREATE TABLE message_contents (
  mc_seqno integer NOT NULL,
  hash bytea NOT NULL,
  content bytea NOT NULL
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX message_contents_by_hash ON ONLY message_contents USING btree (SUBSTRING(hash FROM 1 FOR 7));

CREATE TABLE multisig_orders (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  expiration_date bigint NOT NULL,
  threshold integer,
  approvals_num integer NOT NULL,
  sent_for_execution boolean NOT NULL,
  order_seqno numeric NOT NULL,
  approvals_mask numeric NOT NULL,
  address bytea NOT NULL,
  multisig_address bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  order_content bytea,
  signers bytea[] NOT NULL,
  CONSTRAINT multisig_orders_pkey PRIMARY KEY (address)
);
CREATE INDEX multisig_orders_by_multisig ON multisig_orders USING btree (multisig_address, since_lt);

CREATE TABLE multisigs (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  threshold integer NOT NULL,
  next_order_seqno numeric NOT NULL,
  address bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  signers bytea[] NOT NULL,
  proposers bytea[] NOT NULL,
  CONSTRAINT multisigs_pkey PRIMARY KEY (address)
);
CREATE INDEX multisigs_by_proposer ON multisigs USING gin (proposers);
CREATE INDEX multisigs_by_signer ON multisigs USING gin (signers);

CREATE TABLE nft_collections (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  next_item_index numeric NOT NULL,
  address bytea NOT NULL,
  owner_address bytea,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  content jsonb,
  CONSTRAINT nft_collections_pkey PRIMARY KEY (address)
);
CREATE INDEX nft_collections_by_name ON nft_collections USING btree ("left"(lower((content ->> 'name'::text)), 64) COLLATE "C");
CREATE INDEX nft_collections_by_owner ON nft_collections USING btree (owner_address, since_lt) WHERE (owner_address IS NOT NULL);
CREATE INDEX nft_collections_by_since ON nft_collections USING btree (since_lt, address);

CREATE TABLE nft_items (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  init boolean NOT NULL,
  index numeric NOT NULL,
  address bytea NOT NULL,
  collection_address bytea,
  owner_address bytea,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  content jsonb,
  CONSTRAINT nft_items_pkey PRIMARY KEY (address)
);
CREATE INDEX nft_items_by_collection ON nft_items USING btree (collection_address, index);
CREATE INDEX nft_items_by_lt ON nft_items USING btree (last_lt, address);
CREATE INDEX nft_items_by_owner ON nft_items USING btree (owner_address, collection_address, index, address);
CREATE INDEX nft_items_by_since ON nft_items USING btree (since_lt, address);

CREATE TABLE nft_sales (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  created_at bigint,
  kind text NOT NULL,
  address bytea NOT NULL,
  nft_address bytea,
  nft_owner_address bytea,
  marketplace_address bytea,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  details jsonb NOT NULL,
  CONSTRAINT nft_sales_pkey PRIMARY KEY (address)
);
CREATE INDEX nft_sales_by_owner ON nft_sales USING btree (nft_owner_address) WHERE (nft_owner_address IS NOT NULL);

CREATE TABLE nft_transfers (
  lt bigint NOT NULL,
  now integer NOT NULL,
  mc_seqno integer NOT NULL,
  aborted boolean NOT NULL,
  query_id numeric NOT NULL,
  forward_amount numeric NOT NULL,
  account bytea NOT NULL,
  collection bytea,
  old_owner bytea NOT NULL,
  new_owner bytea NOT NULL,
  response_destination bytea NOT NULL,
  custom_payload bytea,
  forward_payload bytea,
  CONSTRAINT nft_transfers_pkey PRIMARY KEY (account, lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX nft_transfers_by_collection ON ONLY nft_transfers USING btree (collection, lt) WHERE (collection IS NOT NULL);
CREATE INDEX nft_transfers_by_lt ON ONLY nft_transfers USING btree (lt);
CREATE INDEX nft_transfers_by_new_owner ON ONLY nft_transfers USING btree (new_owner, lt);
CREATE INDEX nft_transfers_by_old_owner ON ONLY nft_transfers USING btree (old_owner, lt);

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
  trace_id bytea NOT NULL,
  orphan_hash bytea,
  CONSTRAINT open_traces_pkey PRIMARY KEY (trace_id)
);

CREATE TABLE owned_items (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  init boolean NOT NULL,
  index numeric NOT NULL,
  address bytea NOT NULL,
  collection_address bytea,
  owner_address bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  content jsonb,
  CONSTRAINT owned_items_pkey PRIMARY KEY (address, owner_address)
);
CREATE INDEX owned_items_by_owner ON owned_items USING btree (owner_address, collection_address, index, address);

CREATE TABLE owned_wallets (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  mintless_is_claimed boolean,
  balance numeric NOT NULL,
  address bytea NOT NULL,
  owner bytea NOT NULL,
  jetton bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  CONSTRAINT owned_wallets_pkey PRIMARY KEY (address, owner)
);
CREATE INDEX owned_wallets_by_owner ON owned_wallets USING btree (owner, since_lt);

CREATE TABLE schema_migrations (
  number integer NOT NULL,
  name text NOT NULL,
  checksum bytea NOT NULL,
  applied_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (number)
);

CREATE TABLE self_made_keys (
  day integer NOT NULL,
  count integer NOT NULL,
  address_hash bytea NOT NULL,
  CONSTRAINT self_made_keys_pkey PRIMARY KEY (address_hash, day)
);

CREATE TABLE shard_tops (
  shard bigint NOT NULL,
  mc_seqno integer NOT NULL,
  workchain integer NOT NULL,
  seqno integer NOT NULL,
  CONSTRAINT shard_tops_pkey PRIMARY KEY (mc_seqno, workchain, shard)
) PARTITION BY RANGE (mc_seqno);

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
  CONSTRAINT traces_pkey PRIMARY KEY (trace_id, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX traces_by_lt ON ONLY traces USING btree (end_lt);
CREATE INDEX traces_by_seqno ON ONLY traces USING btree (mc_seqno);
CREATE INDEX traces_by_utime ON ONLY traces USING btree (end_utime);

CREATE TABLE transaction_lookup (
  hash_key bigint NOT NULL,
  lt bigint NOT NULL,
  mc_seqno integer NOT NULL,
  account bytea
);
CREATE INDEX transaction_lookup_by_hash ON transaction_lookup USING btree (hash_key);
CREATE INDEX transaction_lookup_by_seqno ON transaction_lookup USING brin (mc_seqno);

CREATE TABLE transactions (
  lt bigint NOT NULL,
  prev_lt bigint NOT NULL,
  block_shard bigint NOT NULL,
  total_fees bigint,
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
  orig_status smallint NOT NULL,
  end_status smallint NOT NULL,
  in_bits smallint NOT NULL,
  out_count smallint NOT NULL,
  account bytea NOT NULL,
  hash bytea NOT NULL,
  prev_hash bytea,
  state_before bytea,
  state_after bytea NOT NULL,
  frozen_hash bytea,
  data_hash bytea,
  code_hash bytea,
  in_hash bytea,
  in_hash_norm bytea,
  in_source bytea,
  in_body_hash bytea,
  in_init_hash bytea,
  description bytea NOT NULL,
  total_fees_extra jsonb,
  balance_extra jsonb,
  in_value_extra jsonb,
  in_extra_flags numeric,
  large jsonb,
  trace_id bytea NOT NULL,
  CONSTRAINT transactions_pkey PRIMARY KEY (account, lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX transactions_by_destination ON ONLY transactions USING btree (SUBSTRING(account FROM 27 FOR 7), in_created_lt) WHERE (in_created_lt IS NOT NULL);
CREATE INDEX transactions_by_destination_opcode ON ONLY transactions USING btree (hash_array_extended(ARRAY[account], (in_opcode)::bigint), in_created_lt) WHERE ((in_created_lt IS NOT NULL) AND (in_opcode IS NOT NULL));
CREATE INDEX transactions_by_external ON ONLY transactions USING btree (SUBSTRING(in_hash FROM 1 FOR 8)) WHERE ((in_created_lt IS NULL) AND (in_hash IS NOT NULL));
CREATE INDEX transactions_by_external_destination ON ONLY transactions USING btree (SUBSTRING(account FROM 27 FOR 7), SUBSTRING(in_hash FROM 1 FOR 8)) WHERE ((in_created_lt IS NULL) AND (in_hash IS NOT NULL));
CREATE INDEX transactions_by_external_opcode ON ONLY transactions USING btree (in_opcode, SUBSTRING(in_hash FROM 1 FOR 8)) WHERE ((in_created_lt IS NULL) AND (in_hash IS NOT NULL) AND (in_opcode IS NOT NULL));
CREATE INDEX transactions_by_external_pair ON ONLY transactions USING btree (hash_array_extended(ARRAY[account], (in_opcode)::bigint), SUBSTRING(in_hash FROM 1 FOR 8)) WHERE ((in_created_lt IS NULL) AND (in_hash IS NOT NULL) AND (in_opcode IS NOT NULL));
CREATE INDEX transactions_by_in_body ON ONLY transactions USING btree (COALESCE(SUBSTRING(in_body_hash FROM 1 FOR 7), '\x'::bytea), in_created_lt) WHERE (in_hash IS NOT NULL);
CREATE INDEX transactions_by_in_body_lt ON ONLY transactions USING btree (COALESCE(SUBSTRING(in_body_hash FROM 8 FOR 7), '\x'::bytea), lt) WHERE (in_hash IS NOT NULL);
CREATE INDEX transactions_by_in_hash ON ONLY transactions USING hash (in_hash);
CREATE INDEX transactions_by_in_hash_norm ON ONLY transactions USING btree (in_hash_norm) WHERE (in_hash_norm IS NOT NULL);
CREATE INDEX transactions_by_in_lt ON ONLY transactions USING btree (in_created_lt) WHERE (in_created_lt IS NOT NULL);
CREATE INDEX transactions_by_in_opcode ON ONLY transactions USING btree (in_opcode, in_created_lt) WHERE (in_opcode IS NOT NULL);
CREATE INDEX transactions_by_in_opcode_lt ON ONLY transactions USING btree (((in_opcode)::bigint), lt) WHERE (in_opcode IS NOT NULL);
CREATE INDEX transactions_by_lt ON ONLY transactions USING btree (lt);
CREATE INDEX transactions_by_source ON ONLY transactions USING btree (SUBSTRING(in_source FROM 27 FOR 7), in_created_lt) WHERE (in_created_lt IS NOT NULL);
CREATE INDEX transactions_by_trace ON ONLY transactions USING btree (SUBSTRING(trace_id FROM 1 FOR 7));
CREATE INDEX transactions_by_workchain ON ONLY transactions USING btree (get_byte(account, 0), lt);

CREATE TABLE unclassified_blocks (
  mc_seqno integer NOT NULL
);
CREATE INDEX unclassified_blocks_by_seqno ON unclassified_blocks USING btree (mc_seqno);

CREATE TABLE unreceived_messages (
  created_lt bigint NOT NULL,
  value bigint,
  fwd_fee bigint,
  ihr_fee bigint,
  created_at integer NOT NULL,
  mc_seqno integer NOT NULL,
  opcode integer,
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
  CONSTRAINT unreceived_messages_pkey PRIMARY KEY (account, created_lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX unreceived_messages_by_body ON ONLY unreceived_messages USING btree (COALESCE(SUBSTRING(body_hash FROM 1 FOR 7), '\x'::bytea), created_lt);
CREATE INDEX unreceived_messages_by_destination ON ONLY unreceived_messages USING btree (destination, created_lt) WHERE (destination IS NOT NULL);
CREATE INDEX unreceived_messages_by_hash ON ONLY unreceived_messages USING hash (hash);
CREATE INDEX unreceived_messages_by_lt ON ONLY unreceived_messages USING btree (created_lt);
CREATE INDEX unreceived_messages_by_opcode ON ONLY unreceived_messages USING btree (opcode, created_lt) WHERE (opcode IS NOT NULL);
CREATE INDEX unreceived_messages_by_trace ON ONLY unreceived_messages USING hash (trace_id);

CREATE TABLE vesting_contracts (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  start_time bigint NOT NULL,
  total_duration bigint NOT NULL,
  unlock_period bigint NOT NULL,
  cliff_duration bigint NOT NULL,
  total_amount numeric NOT NULL,
  address bytea NOT NULL,
  sender_address bytea NOT NULL,
  owner_address bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  whitelist bytea[] NOT NULL,
  CONSTRAINT vesting_contracts_pkey PRIMARY KEY (address)
);
CREATE INDEX vesting_contracts_by_owner ON vesting_contracts USING btree (owner_address);
CREATE INDEX vesting_contracts_by_sender ON vesting_contracts USING btree (sender_address);
CREATE INDEX vesting_contracts_by_whitelist ON vesting_contracts USING gin (whitelist);

CREATE TABLE webhook_deliveries (
  number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  replay bigint NOT NULL,
  sequence bigint,
  created_at timestamp with time zone NOT NULL,
  event_at timestamp with time zone NOT NULL,
  next_attempt_at timestamp with time zone,
  finished_at timestamp with time zone,
  mc_seqno integer NOT NULL,
  attempts integer NOT NULL,
  tries integer NOT NULL,
  is_speculative boolean NOT NULL,
  id text NOT NULL,
  endpoint_id text NOT NULL,
  event_id text NOT NULL,
  type text NOT NULL,
  lane text NOT NULL,
  previous_id text,
  state text NOT NULL,
  log jsonb NOT NULL,
  data text,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries USING btree (endpoint_id, number);
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries USING btree (endpoint_id, number) WHERE (state = 'dead'::text);
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries USING btree (endpoint_id, event_id, replay);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (endpoint_id, number) WHERE (state = 'waiting'::text);

CREATE TABLE webhook_endpoints (
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  version integer NOT NULL,
  is_thin boolean NOT NULL,
  id text NOT NULL,
  owner text NOT NULL,
  key_id text,
  url text NOT NULL,
  description text,
  subscription text NOT NULL,
  ordering text NOT NULL,
  signature text NOT NULL,
  public_key text,
  secrets bytea NOT NULL,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_endpoints_by_owner ON webhook_endpoints USING btree (owner, created_at, id);

CREATE TABLE webhook_lanes (
  updated_at timestamp with time zone NOT NULL,
  sequence bigint NOT NULL,
  endpoint_id text NOT NULL,
  lane text NOT NULL,
  last_event_id text NOT NULL,
  CONSTRAINT webhook_lanes_pkey PRIMARY KEY (endpoint_id, lane)
);

CREATE TABLE webhook_progress (
  epoch bigint NOT NULL,
  lease_until timestamp with time zone NOT NULL,
  first_failure_at timestamp with time zone,
  last_success_at timestamp with time zone,
  last_failure_at timestamp with time zone,
  cursor_seqno integer,
  failures integer NOT NULL,
  endpoint_id text NOT NULL,
  holder text,
  cursor_event text,
  state text NOT NULL,
  disabled_reason text,
  last_failure text,
  CONSTRAINT webhook_progress_pkey PRIMARY KEY (endpoint_id)
);

CREATE TABLE webhook_replays (
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  created_at timestamp with time zone NOT NULL,
  cursor_seqno integer NOT NULL,
  until_seqno integer NOT NULL,
  endpoint_id text NOT NULL,
  cursor_event text,
  until_event text,
  CONSTRAINT webhook_replays_pkey PRIMARY KEY (id)
);
CREATE INDEX webhook_replays_by_endpoint ON webhook_replays USING btree (endpoint_id, id);

CREATE TABLE webhook_requests (
  created_at timestamp with time zone NOT NULL,
  owner text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  answer bytea,
  CONSTRAINT webhook_requests_pkey PRIMARY KEY (owner, key)
);

CREATE TABLE webhook_senders (
  seen_at timestamp with time zone NOT NULL,
  holder text NOT NULL,
  CONSTRAINT webhook_senders_pkey PRIMARY KEY (holder)
);
