import { createSignedTokens, type SigningKey } from './signed-token.ts';

/** `device` identifies the token and has no meaning outside of it. */
export interface DeviceClaims {
  readonly device: string;
}

export interface DeviceTokens {
  /** For a browser that has just signed in to the account of this email. */
  sign(emailFingerprint: string, now: Date): string;
  /** undefined for anything but a valid token made for this email. */
  verify(token: string, emailFingerprint: string, now: Date): DeviceClaims | undefined;
}

export const deviceTokenLifetimeSeconds = 180 * 86_400;

/** Tokens by which a browser proves that it has signed in to an account before. They give no access. */
export function createDeviceTokens(keys: readonly SigningKey[]): DeviceTokens {
  const lifetimeSeconds = deviceTokenLifetimeSeconds;
  const tokens = createSignedTokens(keys, { audience: 'itembridge-device', lifetimeSeconds });
  return {
    sign: (emailFingerprint, now) => tokens.sign({ subject: emailFingerprint }, now),
    verify(token, emailFingerprint, now) {
      const claims = tokens.verify(token, now);
      return claims?.subject === emailFingerprint ? { device: claims.tokenId } : undefined;
    },
  };
}
