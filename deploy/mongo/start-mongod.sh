#!/bin/sh
# mongod with authentication, as a replica set of one (transactions need a replica set). The key file must belong to the user that
# runs mongod and be closed to all others, which a mounted secret is not: so a copy is made.
set -eu
key_file=${MONGODB_KEYFILE_COPY:-/tmp/mongodb-keyfile}
rm -f "$key_file"
(umask 077 && cat "${MONGODB_KEYFILE_FILE:-/run/secrets/mongodb_keyfile}" >"$key_file")
chmod 400 "$key_file"
# The transaction of a process that was killed holds its locks until its time is over: by default up to 90 s, in which no event of its
# account can be stored.
# A slow command would be logged with its values: addresses of accounts, perhaps data of a buyer. So none counts as slow.
exec mongod --slowms 2147483647 --setParameter transactionLifetimeLimitSeconds=5 --replSet rs0 --auth --keyFile "$key_file" --dbpath "${MONGODB_DATA:-/data/db}" \
  --bind_ip "${MONGODB_BIND:-*}" --port "${MONGODB_PORT:-27017}" --wiredTigerCacheSizeGB "${MONGODB_CACHE_GB:-1}" --quiet
