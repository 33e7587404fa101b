-- Many accounts have the same balance, most of them none at all. With the account behind it the index has the whole order that they are
-- listed in, and a page among them costs what any other does.
DROP INDEX latest_account_states_by_balance;
CREATE INDEX latest_account_states_by_balance ON latest_account_states (balance, account);
