import type { Encryption } from '../../security/encryption.ts';
import { maskWebhookSecret, newWebhookSecret } from '../../security/webhook-signature.ts';

/** A new signing secret in the three forms it is needed in; `secret` goes into one answer and nowhere else. */
export interface PreparedSecret {
  readonly secret: string;
  readonly stored: { readonly secretEncrypted: string; readonly secretHint: string };
}

/** `place` is one of `secretContexts`: where the ciphertext will stand. */
export function prepareSecret(encryption: Encryption, place: string): PreparedSecret {
  const secret = newWebhookSecret();
  return {
    secret,
    stored: { secretEncrypted: encryption.encrypt(secret, place), secretHint: maskWebhookSecret(secret) },
  };
}
