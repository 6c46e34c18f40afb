#!/bin/sh
# Brings the two databases of the Temporal server to the schema of this version. Running it again changes nothing; after an upgrade it
# must run before the new server starts.
set -eu
schema=${TEMPORAL_SCHEMA_DIR:-/etc/temporal/schema/postgresql/v12}
host=${POSTGRES_HOST:-postgres}
port=${POSTGRES_PORT:-5432}
SQL_PASSWORD=$(cat "${TEMPORAL_POSTGRES_PASSWORD_FILE:-/run/secrets/temporal_postgres_password}")
export SQL_PASSWORD

bring_up_to_date() {
  database=$1
  versions=$2
  tool() { temporal-sql-tool --plugin postgres12_pgx --endpoint "$host" --port "$port" --user temporal --database "$database" "$@"; }
  # The table of versions is made once; a second time it is already there and the tool says so.
  tool update-schema --schema-dir "$versions" 2>/dev/null || {
    tool setup-schema --version 0.0
    tool update-schema --schema-dir "$versions"
  }
}

bring_up_to_date temporal "$schema/temporal/versioned"
bring_up_to_date temporal_visibility "$schema/visibility/versioned"
echo 'the schema is up to date'
