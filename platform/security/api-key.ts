import { createHash, randomBytes } from 'node:crypto';
import type { KeyMode } from '../../features/accounts/rules/api-key.ts';

const prefixOf = (mode: KeyMode) => `sk_${mode}_` as const;
/** Both prefixes have the same length. */
const prefixLength = prefixOf('live').length;
const randomLength = 32;
/** 62^43 > 2^256, so 43 characters hold every key, and all keys have the same length. */
const encodedLength = 43;
const displayedCharacters = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = new RegExp(`^sk_(live|test)_[0-9A-Za-z]{${encodedLength}}$`);

/** `sk_live_` or `sk_test_` + 32 random bytes in base62 (43 characters). Shown once, never stored. */
export function newApiKey(mode: KeyMode): string {
  return prefixOf(mode) + base62(randomBytes(randomLength));
}

/** True when `value` has the form of our keys. Saves the look-up for any other value. */
export function isApiKeyForm(value: string): boolean {
  return form.test(value);
}

/** The stored form for look-ups: SHA-256 in hex. Unsalted, because the key itself has 256 random bits. */
export function hashApiKey(apiKey: string): string {
  return createHash('sha256').update(apiKey, 'utf8').digest('hex');
}

/** @param key in full, or the part of it that is shown */
export const apiKeyModeOf = (key: string): KeyMode => (key.startsWith(prefixOf('test')) ? 'test' : 'live');

/** The leading part that is safe to display: `sk_live_` and 6 characters. */
export function apiKeyPrefix(apiKey: string): string {
  return apiKey.slice(0, prefixLength + displayedCharacters);
}

function base62(bytes: Buffer): string {
  let rest = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  while (rest > 0n) {
    text = alphabet.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text.padStart(encodedLength, '0');
}
