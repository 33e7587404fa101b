-- Keys of those who ask the interfaces, and what they asked. A key itself is nowhere: only a keyed hash of it, whose secret is kept
-- elsewhere.

CREATE TABLE api_keys (
  created_at timestamptz NOT NULL,
  -- It no longer works from then on: the time until which a replaced key still does.
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Grows with every change of any key; whoever follows them asks for what is newer.
  change bigint NOT NULL,
  -- Of a plan of its own.
  per_second double precision,
  burst integer,
  -- How the key begins, by which people know it.
  id text COLLATE "C" PRIMARY KEY,
  network text NOT NULL,
  plan text NOT NULL,
  -- Keys of one owner share a budget.
  owner text COLLATE "C" NOT NULL,
  note text,
  replaced_by text COLLATE "C",
  -- Made by a visitor for himself.
  is_self_made boolean NOT NULL,
  hash bytea NOT NULL
);
CREATE INDEX api_keys_by_change ON api_keys (change);
CREATE INDEX api_keys_by_owner ON api_keys (owner);

CREATE TABLE api_key_usage (
  requests bigint NOT NULL,
  -- Of those, how many were over the limit, and how many failed for a reason that is ours.
  refused bigint NOT NULL,
  failed bigint NOT NULL,
  -- Days since 1970, by the clock of Greenwich.
  day integer NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  -- Interface and name: v2/getTransactions.
  endpoint text COLLATE "C" NOT NULL,
  PRIMARY KEY (key_id, day, endpoint)
);

-- How many keys visitors have made for themselves; of their addresses there is a keyed hash.
CREATE TABLE self_made_keys (
  day integer NOT NULL,
  count integer NOT NULL,
  address_hash bytea NOT NULL,
  PRIMARY KEY (address_hash, day)
);

-- By it a secret is recognised as the one that all hashes were made with.
CREATE TABLE api_key_secret (
  mark bytea PRIMARY KEY
);
