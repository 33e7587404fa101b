-- Search by the beginning of a name or symbol. A name may be longer than an index row.
CREATE INDEX jetton_masters_by_symbol ON jetton_masters (left(lower(content ->> 'symbol'), 64) COLLATE "C");
CREATE INDEX jetton_masters_by_name ON jetton_masters (left(lower(content ->> 'name'), 64) COLLATE "C");
CREATE INDEX nft_collections_by_name ON nft_collections (left(lower(content ->> 'name'), 64) COLLATE "C");
CREATE INDEX address_metadata_by_symbol ON address_metadata (left(lower(symbol), 64) COLLATE "C")
  WHERE type IN ('jetton_masters', 'nft_collections');
CREATE INDEX address_metadata_by_name ON address_metadata (left(lower(name), 64) COLLATE "C")
  WHERE type IN ('jetton_masters', 'nft_collections');
