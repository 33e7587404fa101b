-- An index in order for every filter of the indexed interface. Of addresses and hashes seven bytes are kept, which with their length take
-- eight: enough to find them by, and whoever reads by one compares the whole as well.

-- /transactions of a workchain, by logical time.
CREATE INDEX transactions_by_workchain ON transactions (get_byte(account, 0), lt);

-- /messages by either end, by the logical time of their making.
CREATE INDEX transactions_by_destination ON transactions (substring(account FROM 27 FOR 7), in_created_lt)
  WHERE in_created_lt IS NOT NULL;
CREATE INDEX transactions_by_source ON transactions (substring(in_source FROM 27 FOR 7), in_created_lt)
  WHERE in_created_lt IS NOT NULL;
-- External-in messages have no such time: they are listed by hash.
CREATE INDEX transactions_by_external_destination ON transactions (substring(account FROM 27 FOR 7), substring(in_hash FROM 1 FOR 8))
  WHERE in_created_lt IS NULL AND in_hash IS NOT NULL;
CREATE INDEX transactions_by_external_opcode ON transactions (in_opcode, substring(in_hash FROM 1 FOR 8))
  WHERE in_created_lt IS NULL AND in_hash IS NOT NULL AND in_opcode IS NOT NULL;

-- By body, for /messages and for /transactionsByMessage. An empty body has no hash here.
DROP INDEX transactions_by_in_body;
CREATE INDEX transactions_by_in_body ON transactions (coalesce(substring(in_body_hash FROM 1 FOR 7), '\x'), in_created_lt)
  WHERE in_hash IS NOT NULL;
-- Other bytes of the same hash: of two indexes that begin alike the server may take the one that is not in the order asked for.
CREATE INDEX transactions_by_in_body_lt ON transactions (coalesce(substring(in_body_hash FROM 8 FOR 7), '\x'), lt)
  WHERE in_hash IS NOT NULL;
DROP INDEX unreceived_messages_by_body;
CREATE INDEX unreceived_messages_by_body ON unreceived_messages (coalesce(substring(body_hash FROM 1 FOR 7), '\x'), created_lt);

-- /transactionsByMessage by opcode: as a bigint for the same reason, which takes no more room.
CREATE INDEX transactions_by_in_opcode_lt ON transactions ((in_opcode::bigint), lt) WHERE in_opcode IS NOT NULL;

-- /blocks of a workchain or a shard, by time.
CREATE INDEX blocks_by_workchain ON blocks (workchain, gen_utime);
CREATE INDEX blocks_by_shard ON blocks (workchain, shard, gen_utime);
-- Blocks that hold transactions: /transactions of a workchain by time, and of a shard. Many blocks of a quiet chain hold none.
CREATE INDEX blocks_filled_by_workchain ON blocks (workchain, gen_utime) WHERE tx_count > 0;
CREATE INDEX blocks_filled_by_shard ON blocks (workchain, shard, start_lt) WHERE tx_count > 0;

-- /jetton/wallets by balance, whatever the jetton.
CREATE INDEX jetton_wallets_by_balance ON jetton_wallets (balance, address);
