#!/bin/sh
# Run once, when the data folder is made: lets the replica copy the server with the password of the owner.
set -eu
echo 'host replication chaincenter all scram-sha-256' >> "$PGDATA/pg_hba.conf"
psql -U "$POSTGRES_USER" -d "$POSTGRES_DB" -c 'ALTER ROLE chaincenter REPLICATION'
