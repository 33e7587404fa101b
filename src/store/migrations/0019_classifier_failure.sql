-- Why actions are not made, and since when, for /ready of every process. Empty while the classifier works.
ALTER TABLE index_state ADD COLUMN classifier_failing_since timestamptz, ADD COLUMN classifier_failure text;
