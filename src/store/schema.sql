-- Written by scripts/genSchema.ts from src/store/migrations; do not edit.

CREATE TABLE leases (
  name text NOT NULL,
  epoch bigint NOT NULL,
  holder text NOT NULL,
  backend_pid integer,
  acquired_at timestamp with time zone NOT NULL,
  renewed_at timestamp with time zone NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);

CREATE TABLE schema_migrations (
  number integer NOT NULL,
  name text NOT NULL,
  checksum bytea NOT NULL,
  applied_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  CONSTRAINT schema_migrations_pkey PRIMARY KEY (number)
);
