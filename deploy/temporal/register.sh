#!/bin/sh
# Registers the namespace, how long finished workflows are kept, and the search attributes by which people find work
# (workflows/contracts/search-attributes.ts). Running it again changes only what differs. The tool reads the TEMPORAL_* settings of
# API and worker (docs/deployment.md "Temporal elsewhere").
set -eu
: "${TEMPORAL_ADDRESS:=temporal:7233}" "${TEMPORAL_NAMESPACE:=itembridge}" "${TEMPORAL_RETENTION:=168h}"
[ -z "${TEMPORAL_API_KEY_FILE:-}" ] || TEMPORAL_API_KEY=$(cat "$TEMPORAL_API_KEY_FILE")
export TEMPORAL_ADDRESS TEMPORAL_NAMESPACE TEMPORAL_API_KEY
# The tool takes an empty value for one.
for name in API_KEY TLS TLS_CLIENT_CERT_PATH TLS_CLIENT_KEY_PATH TLS_SERVER_CA_CERT_PATH TLS_SERVER_NAME; do
  eval "[ -n \"\${TEMPORAL_$name:-}\" ] || unset TEMPORAL_$name"
done

seconds=0
until reason=$(temporal operator cluster health 2>&1); do
  seconds=$((seconds + 1))
  if [ "$seconds" -gt "${TEMPORAL_PATIENCE_SECONDS:-120}" ]; then
    echo "Temporal at $TEMPORAL_ADDRESS does not answer: $reason" >&2
    exit 1
  fi
  sleep 1
done

if temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1; then
  temporal operator namespace update --namespace "$TEMPORAL_NAMESPACE" --retention "$TEMPORAL_RETENTION"
else
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention "$TEMPORAL_RETENTION"
fi

registered() {
  temporal operator search-attribute list --namespace "$TEMPORAL_NAMESPACE" 2>/dev/null | awk '{ print $1 }' | grep -qx "$1"
}
for name in AccountId ExternalId Stage BlockedReason Endpoint; do
  tries=0
  # A namespace that was just created is known everywhere only after some seconds.
  until registered "$name"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 30 ]; then
      echo "the search attribute $name could not be registered" >&2
      exit 1
    fi
    temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" --name "$name" --type Keyword || sleep 1
  done
done
echo "namespace $TEMPORAL_NAMESPACE is ready"
