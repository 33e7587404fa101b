-- What contracts are, as their get-methods told it at `last_lt`; `since_lt` is the earliest at which they were seen, by which
-- they are listed.

CREATE TABLE jetton_masters (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  mintable boolean NOT NULL,
  total_supply numeric NOT NULL,
  address bytea NOT NULL PRIMARY KEY,
  admin_address bytea,
  wallet_code_hash bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  content jsonb
);
CREATE INDEX jetton_masters_by_since ON jetton_masters (since_lt, address);
CREATE INDEX jetton_masters_by_admin ON jetton_masters (admin_address, since_lt) WHERE admin_address IS NOT NULL;

CREATE TABLE jetton_wallets (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  mintless_is_claimed boolean,
  balance numeric NOT NULL,
  address bytea NOT NULL PRIMARY KEY,
  owner bytea NOT NULL,
  jetton bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL
);
CREATE INDEX jetton_wallets_by_since ON jetton_wallets (since_lt, address);
CREATE INDEX jetton_wallets_by_owner ON jetton_wallets (owner, since_lt);
CREATE INDEX jetton_wallets_by_jetton ON jetton_wallets (jetton, since_lt);
CREATE INDEX jetton_wallets_by_jetton_balance ON jetton_wallets (jetton, balance);

CREATE TABLE nft_collections (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  next_item_index numeric NOT NULL,
  address bytea NOT NULL PRIMARY KEY,
  owner_address bytea,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  content jsonb
);
CREATE INDEX nft_collections_by_since ON nft_collections (since_lt, address);
CREATE INDEX nft_collections_by_owner ON nft_collections (owner_address, since_lt) WHERE owner_address IS NOT NULL;

CREATE TABLE nft_items (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  init boolean NOT NULL,
  index numeric NOT NULL,
  address bytea NOT NULL PRIMARY KEY,
  collection_address bytea,
  owner_address bytea,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  content jsonb
);
CREATE INDEX nft_items_by_since ON nft_items (since_lt, address);
CREATE INDEX nft_items_by_lt ON nft_items (last_lt, address);
CREATE INDEX nft_items_by_owner ON nft_items (owner_address, collection_address, index);
CREATE INDEX nft_items_by_collection ON nft_items (collection_address, index);

-- Contracts that hold an item for sale: getgems_sale, getgems_auction, telemint.
CREATE TABLE nft_sales (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  created_at bigint,
  kind text NOT NULL,
  address bytea NOT NULL PRIMARY KEY,
  nft_address bytea,
  nft_owner_address bytea,
  marketplace_address bytea,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  details jsonb NOT NULL
);
CREATE INDEX nft_sales_by_owner ON nft_sales (nft_owner_address) WHERE nft_owner_address IS NOT NULL;

CREATE TABLE dns_entries (
  last_lt bigint NOT NULL,
  domain text COLLATE "C" NOT NULL,
  nft_item_address bytea NOT NULL PRIMARY KEY,
  nft_item_owner bytea,
  dns_next_resolver bytea,
  dns_wallet bytea,
  dns_site_adnl bytea,
  dns_storage_bag_id bytea
);
CREATE INDEX dns_entries_by_domain ON dns_entries (domain);
CREATE INDEX dns_entries_by_wallet ON dns_entries (dns_wallet, length(domain), domain) WHERE dns_wallet IS NOT NULL;

CREATE TABLE multisigs (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  threshold integer NOT NULL,
  next_order_seqno numeric NOT NULL,
  address bytea NOT NULL PRIMARY KEY,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  signers bytea[] NOT NULL,
  proposers bytea[] NOT NULL
);
CREATE INDEX multisigs_by_signer ON multisigs USING gin (signers);
CREATE INDEX multisigs_by_proposer ON multisigs USING gin (proposers);

CREATE TABLE multisig_orders (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  expiration_date bigint NOT NULL,
  threshold integer,
  approvals_num integer NOT NULL,
  sent_for_execution boolean NOT NULL,
  order_seqno numeric NOT NULL,
  approvals_mask numeric NOT NULL,
  address bytea NOT NULL PRIMARY KEY,
  multisig_address bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  order_content bytea,
  signers bytea[] NOT NULL
);
CREATE INDEX multisig_orders_by_multisig ON multisig_orders (multisig_address, since_lt);

CREATE TABLE vesting_contracts (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  start_time bigint NOT NULL,
  total_duration bigint NOT NULL,
  unlock_period bigint NOT NULL,
  cliff_duration bigint NOT NULL,
  total_amount numeric NOT NULL,
  address bytea NOT NULL PRIMARY KEY,
  sender_address bytea NOT NULL,
  owner_address bytea NOT NULL,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL,
  whitelist bytea[] NOT NULL
);
CREATE INDEX vesting_contracts_by_sender ON vesting_contracts (sender_address);
CREATE INDEX vesting_contracts_by_owner ON vesting_contracts (owner_address);
CREATE INDEX vesting_contracts_by_whitelist ON vesting_contracts USING gin (whitelist);

CREATE TABLE dex_pools (
  since_lt bigint NOT NULL,
  last_lt bigint NOT NULL,
  fee double precision,
  dex text NOT NULL,
  kind text NOT NULL,
  reserve_1 numeric,
  reserve_2 numeric,
  address bytea NOT NULL PRIMARY KEY,
  -- Null for the coin of the network.
  asset_1 bytea,
  asset_2 bytea,
  code_hash bytea NOT NULL,
  data_hash bytea NOT NULL
);

-- Token events. `account` and `lt` are those of the transaction, which has the rest.

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
  PRIMARY KEY (account, lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX jetton_transfers_by_lt ON jetton_transfers (lt);
CREATE INDEX jetton_transfers_by_source ON jetton_transfers (source, lt);
CREATE INDEX jetton_transfers_by_destination ON jetton_transfers (destination, lt);
CREATE INDEX jetton_transfers_by_master ON jetton_transfers (jetton_master, lt);

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
  PRIMARY KEY (account, lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX jetton_burns_by_lt ON jetton_burns (lt);
CREATE INDEX jetton_burns_by_owner ON jetton_burns (owner, lt);
CREATE INDEX jetton_burns_by_master ON jetton_burns (jetton_master, lt);

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
  PRIMARY KEY (account, lt, mc_seqno)
) PARTITION BY RANGE (mc_seqno);
CREATE INDEX nft_transfers_by_lt ON nft_transfers (lt);
CREATE INDEX nft_transfers_by_old_owner ON nft_transfers (old_owner, lt);
CREATE INDEX nft_transfers_by_new_owner ON nft_transfers (new_owner, lt);
CREATE INDEX nft_transfers_by_collection ON nft_transfers (collection, lt) WHERE collection IS NOT NULL;
