-- Finds accounts with the same code. Equal keys share an entry, so that the index stays small although most accounts are wallets of a few
-- kinds. Their order in it is none that pages could go on from: the list of accounts with a code is a sample.
CREATE INDEX latest_account_states_by_code ON latest_account_states (code_hash) WHERE code_hash IS NOT NULL;
