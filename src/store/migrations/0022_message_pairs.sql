-- /messages by two filters that each match very many messages, and together hardly any: an index by both, in the order of the list. A hash
-- of the two takes eight bytes; the query compares both as well.
CREATE INDEX transactions_by_destination_opcode ON transactions (hash_array_extended(ARRAY[account], in_opcode::bigint), in_created_lt)
  WHERE in_created_lt IS NOT NULL AND in_opcode IS NOT NULL;
CREATE INDEX transactions_by_source_opcode ON transactions (hash_array_extended(ARRAY[in_source], in_opcode::bigint), in_created_lt)
  WHERE in_created_lt IS NOT NULL AND in_opcode IS NOT NULL;
CREATE INDEX transactions_by_ends ON transactions (hash_array_extended(ARRAY[account, in_source], 0), in_created_lt)
  WHERE in_created_lt IS NOT NULL;
-- External-in messages are listed by hash, and have no source.
CREATE INDEX transactions_by_external_pair ON transactions
  (hash_array_extended(ARRAY[account], in_opcode::bigint), substring(in_hash FROM 1 FOR 8))
  WHERE in_created_lt IS NULL AND in_hash IS NOT NULL AND in_opcode IS NOT NULL;
-- Logs have a source and no destination.
CREATE INDEX unreceived_messages_by_source_opcode ON unreceived_messages
  (hash_array_extended(ARRAY[account], opcode::bigint), created_lt) WHERE opcode IS NOT NULL;
