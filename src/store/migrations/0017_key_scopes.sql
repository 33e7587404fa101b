-- Rights of a key besides those of its plan; null: the default ones.
ALTER TABLE api_keys ADD COLUMN scopes text[];
