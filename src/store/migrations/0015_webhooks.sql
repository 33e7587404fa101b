-- Webhooks: endpoints of users, how far each has been told, and what was sent to it.

CREATE TABLE webhook_endpoints (
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Grows with every change by the owner.
  version integer NOT NULL,
  is_thin boolean NOT NULL,
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  -- The API key that made it; null for callers on the same machine.
  key_id text COLLATE "C",
  url text NOT NULL,
  description text,
  subscription text NOT NULL,
  ordering text NOT NULL,
  signature text NOT NULL,
  public_key text,
  -- Signing keys and request headers, encrypted with a key that is not in the database.
  secrets bytea NOT NULL
);
CREATE INDEX webhook_endpoints_by_owner ON webhook_endpoints (owner, created_at, id);

-- Written by the process that owns an endpoint for the time of a lease.
CREATE TABLE webhook_progress (
  -- Grows with every change of the process.
  epoch bigint NOT NULL,
  lease_until timestamptz NOT NULL,
  first_failure_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  -- Events up to this masterchain block, and up to this event of the next one, have deliveries.
  cursor_seqno integer,
  failures integer NOT NULL,
  endpoint_id text COLLATE "C" PRIMARY KEY,
  holder text COLLATE "C",
  cursor_event text,
  state text NOT NULL,
  disabled_reason text,
  last_failure text
);

-- Processes that send, so that they share the endpoints evenly.
CREATE TABLE webhook_senders (
  seen_at timestamptz NOT NULL,
  holder text COLLATE "C" PRIMARY KEY
);

-- The newest delivery of each lane: the next one has the following number.
CREATE TABLE webhook_lanes (
  updated_at timestamptz NOT NULL,
  sequence bigint NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  lane text COLLATE "C" NOT NULL,
  last_event_id text NOT NULL,
  PRIMARY KEY (endpoint_id, lane)
);

CREATE TABLE webhook_replays (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  created_at timestamptz NOT NULL,
  cursor_seqno integer NOT NULL,
  until_seqno integer NOT NULL,
  endpoint_id text COLLATE "C" NOT NULL,
  cursor_event text,
  -- Within the block after `until_seqno`.
  until_event text
);
CREATE INDEX webhook_replays_by_endpoint ON webhook_replays (endpoint_id, id);

CREATE TABLE webhook_deliveries (
  -- The order within a lane.
  number bigint GENERATED ALWAYS AS IDENTITY,
  -- 0 for the first time.
  replay bigint NOT NULL,
  sequence bigint,
  created_at timestamptz NOT NULL,
  event_at timestamptz NOT NULL,
  next_attempt_at timestamptz,
  finished_at timestamptz,
  mc_seqno integer NOT NULL,
  attempts integer NOT NULL,
  -- Attempts since it was queued: redelivery begins anew.
  tries integer NOT NULL,
  is_speculative boolean NOT NULL,
  id text COLLATE "C" PRIMARY KEY,
  endpoint_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  lane text COLLATE "C" NOT NULL,
  previous_id text,
  -- waiting, delivered, dead, dropped
  state text NOT NULL,
  -- The newest attempts: time, status, duration, error.
  log jsonb NOT NULL,
  -- The rendered event, until it is delivered.
  data text
);
CREATE UNIQUE INDEX webhook_deliveries_once ON webhook_deliveries (endpoint_id, event_id, replay);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (endpoint_id, number) WHERE state = 'waiting';
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (endpoint_id, number) WHERE state = 'dead';
CREATE INDEX webhook_deliveries_ended ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX webhook_deliveries_by_endpoint ON webhook_deliveries (endpoint_id, number);

-- Answers to requests with an idempotency key, encrypted, for a day.
CREATE TABLE webhook_requests (
  created_at timestamptz NOT NULL,
  owner text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  request_hash bytea NOT NULL,
  -- Null while the request runs.
  answer bytea,
  PRIMARY KEY (owner, key)
);
