#!/bin/sh
# The object store of this machine: an S3 server over the folder /data, where a bucket is a folder and an image a file.
set -eu
ROOT_ACCESS_KEY_ID=$(cat /run/secrets/s3_access_key_id)
ROOT_SECRET_ACCESS_KEY=$(cat /run/secrets/s3_secret_access_key)
export ROOT_ACCESS_KEY_ID ROOT_SECRET_ACCESS_KEY
mkdir -p "/data/$S3_BUCKET"
exec /app/versitygw --port :7070 --region "$S3_REGION" --health /health --keep-alive --quiet posix /data
