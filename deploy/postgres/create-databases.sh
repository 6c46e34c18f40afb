#!/bin/sh
# Runs once, when the database server starts on an empty volume: a role without special rights, and the two databases that it owns.
set -eu
password=$(cat "${TEMPORAL_POSTGRES_PASSWORD_FILE:-/run/secrets/temporal_postgres_password}")
psql --set ON_ERROR_STOP=1 --set password="$password" --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
create role temporal login password :'password';
create database temporal owner temporal;
create database temporal_visibility owner temporal;
SQL
