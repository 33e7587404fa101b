-- What the program keeps about the database itself.

CREATE TABLE schema_migrations (
  number integer PRIMARY KEY,
  name text NOT NULL,
  checksum bytea NOT NULL,
  applied_at timestamptz NOT NULL,
  duration_ms integer NOT NULL
);

-- Who leads. The epoch grows with every change of hands, so that a write of a former holder can be told from one of the present.
CREATE TABLE leases (
  name text PRIMARY KEY,
  epoch bigint NOT NULL,
  holder text NOT NULL,
  backend_pid integer,
  acquired_at timestamptz NOT NULL,
  renewed_at timestamptz NOT NULL
);
