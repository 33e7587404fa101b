#!/bin/sh
# Copies the server where there is no copy yet, and follows it.
set -eu
PGDATA=/var/lib/postgresql/data/replica
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "$PGDATA"
  pg_basebackup -h postgres -U chaincenter -D "$PGDATA" -R -X stream
  chmod 700 "$PGDATA"
fi
exec postgres -D "$PGDATA" -c hot_standby=on -c hot_standby_feedback=on -c max_connections=300
