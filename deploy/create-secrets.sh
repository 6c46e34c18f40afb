#!/bin/sh
# Writes the secrets that a deployment needs, one file each, into the folder named (default: ./secrets). What is there already is kept.
# The folder is closed to other users of the host; the files can be read by whatever user a container runs as, because Compose
# mounts them with the permissions that they have.
set -eu
directory=${1:-secrets}
mongodb_host=${MONGODB_HOST:-mongodb:27017}
umask 077
mkdir -p "$directory"
# Never into the repository, whatever the folder is called.
printf '*\n' >"$directory/.gitignore"

random() { head -c "$1" /dev/urandom | base64 | tr -d '\n'; }
word() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
write() {
  if [ ! -e "$directory/$1" ]; then
    printf '%s' "$2" >"$directory/$1"
    echo "created $directory/$1"
  fi
  chmod 444 "$directory/$1"
}

write mongodb_keyfile "$(random 512)"
write mongodb_root_password "$(word)"
write mongodb_uri "mongodb://itembridge:$(word)@$mongodb_host/itembridge?replicaSet=rs0&authSource=itembridge&w=majority"
write postgres_password "$(word)"
write temporal_postgres_password "$(word)"
# Of a Temporal elsewhere: its API key, or certificate, key and authority in PEM. Empty: none.
write temporal_api_key "${TEMPORAL_API_KEY:-}"
write temporal_client_cert ''
write temporal_client_key ''
write temporal_server_ca ''
# Newest first: put a new key in front to rotate, and drop the old one when nothing signed or encrypted with it is left.
write jwt_keys "k1:$(random 48)"
write encryption_keys "k1:$(random 32)"
# From the marketplace's developer pages.
write marketplace_app_key "${MARKETPLACE_APP_KEY:-replace-me}"
# Of the simulated marketplace for test keys; read only where SANDBOX_MARKETPLACE_URL is set.
write sandbox_marketplace_app_key "${SANDBOX_MARKETPLACE_APP_KEY:-replace-me}"
# Of the language model's provider; read only where AI_URL is set.
write ai_api_key "${AI_API_KEY:-replace-me}"
# Of the vehicle registry; read only where VEHICLE_REGISTRY is set.
write vehicle_registry_api_key "${VEHICLE_REGISTRY_API_KEY:-replace-me}"
# Of the payment processor: the API key, and the secret of the endpoint PUBLIC_URL/stripe/webhook (several with commas while it is rotated). Empty: nothing is sold.
write stripe_secret_key "${STRIPE_SECRET_KEY:-}"
write stripe_webhook_secret "${STRIPE_WEBHOOK_SECRET:-}"
# Of the mail server; read only where SMTP_URL and SMTP_USER are set.
write smtp_password "${SMTP_PASSWORD:-replace-me}"
# Of the bucket for images; read only where IMAGE_STORE=s3. Made here for the object store of docker-compose.yml; both empty: the role of the machine.
write s3_access_key_id "${S3_ACCESS_KEY_ID-itembridge}"
write s3_secret_access_key "${S3_SECRET_ACCESS_KEY-$(word)}"
