-- On a Citus cluster, the account that a transaction is stored by, so that a hash leads to one worker. Empty on one server.
ALTER TABLE transaction_lookup ADD COLUMN account bytea;
