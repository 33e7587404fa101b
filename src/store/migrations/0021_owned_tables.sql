-- On a Citus cluster, jetton wallets and NFT items again, stored by their owner. Empty on one server.
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
  PRIMARY KEY (address, owner)
);
CREATE INDEX owned_wallets_by_owner ON owned_wallets (owner, since_lt);

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
  PRIMARY KEY (address, owner_address)
);
CREATE INDEX owned_items_by_owner ON owned_items (owner_address, collection_address, index, address);
