-- Few messages have a normal hash other than their own. An index by hash is made as large as if every row of the table were in it;
-- one in order takes what its rows need.
DROP INDEX transactions_by_in_hash_norm;
CREATE INDEX transactions_by_in_hash_norm ON transactions (in_hash_norm) WHERE in_hash_norm IS NOT NULL;
