<?php
// Checks that a webhook comes from the service and is fresh. To copy: PHP's own functions only, PHP 8.0 or later.
// Tried by hand: WEBHOOK_SECRET=whsec_… php verify.php headers.txt < body
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;

/** Whatever isn't exactly right; the text says why, for your log and not for the sender. */
final class UntrustedDelivery extends RuntimeException
{
}

/**
 * Checks both signatures over the bytes as they came (file_get_contents('php://input')) and returns the event.
 * Names of headers in lower case: array_change_key_case(getallheaders()).
 */
function verify_webhook(string $rawBody, array $headers, string $secret, ?int $now = null): array
{
    $digest = hash_hmac('sha256', $rawBody, $secret);
    // hash_equals takes the same time wherever the two differ, so that a signature can't be guessed byte by byte.
    if (!hash_equals("sha256=$digest", $headers['x-service-signature'] ?? '')) {
        throw new UntrustedDelivery('x-service-signature does not fit the body');
    }

    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    $isNumber = preg_match('/\A[0-9]{1,12}\z/', $timestamp) === 1;
    if (!$isNumber || abs(($now ?? time()) - (int) $timestamp) > TOLERANCE_SECONDS) {
        throw new UntrustedDelivery('webhook-timestamp is not of the last 5 minutes');
    }
    $key = base64_decode(substr($secret, strlen('whsec_')), true);
    $signature = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$rawBody", (string) $key, true));
    // Several signatures may stand there, separated by spaces, while a secret is being changed.
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $candidate) {
        if (hash_equals($signature, $candidate)) {
            return json_decode($rawBody, true, 512, JSON_THROW_ON_ERROR);
        }
    }
    throw new UntrustedDelivery('webhook-signature does not fit id, timestamp and body');
}

if (PHP_SAPI === 'cli' && realpath($argv[0]) === __FILE__) {
    $given = [];
    foreach (file($argv[1]) as $line) {
        [$name, $value] = explode(':', $line, 2) + [1 => ''];
        $given[strtolower(trim($name))] = trim($value);
    }
    try {
        verify_webhook(file_get_contents('php://stdin'), $given, (string) getenv('WEBHOOK_SECRET'));
        echo "verified\n";
    } catch (UntrustedDelivery $refusal) {
        echo 'refused: ', $refusal->getMessage(), "\n";
        exit(1);
    }
}
