-- What tokens say of themselves, on the chain and where its content leads. A row is at once the task to find it out: whoever
-- works on it moves next_try_at ahead, so that nobody else does, and so that it is due again if the worker dies.

CREATE TABLE address_metadata (
  next_try_at timestamptz NOT NULL,
  updated_at timestamptz,
  expires_at timestamptz,
  -- Failures in a row.
  tries integer NOT NULL,
  -- Null until it was found out, or when what the chain says has changed since.
  valid boolean,
  address bytea NOT NULL,
  -- The table that has the token: jetton_masters, nft_collections, nft_items.
  type text COLLATE "C" NOT NULL,
  -- Of what the chain says. Null when that was null.
  content_hash bytea,
  name text,
  description text,
  symbol text,
  image text,
  extra jsonb,
  -- What went wrong, or was left out.
  error text,
  PRIMARY KEY (address, type)
);
CREATE INDEX address_metadata_by_try ON address_metadata (next_try_at);
