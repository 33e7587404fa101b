-- /messages to an account with an opcode, each of which may match very many messages, and both together hardly any: an index by both, in the
-- order of the list. A hash of the two takes eight bytes; the query compares both as well.
CREATE INDEX transactions_by_destination_opcode ON transactions (hash_array_extended(ARRAY[account], in_opcode::bigint), in_created_lt)
  WHERE in_created_lt IS NOT NULL AND in_opcode IS NOT NULL;
-- External-in messages are listed by hash.
CREATE INDEX transactions_by_external_pair ON transactions
  (hash_array_extended(ARRAY[account], in_opcode::bigint), substring(in_hash FROM 1 FOR 8))
  WHERE in_created_lt IS NULL AND in_hash IS NOT NULL AND in_opcode IS NOT NULL;
