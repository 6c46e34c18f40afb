import { randomUUID } from 'node:crypto';
import { createDeviceTokens } from '../security/device-token.ts';
import { createEncryption } from '../security/encryption.ts';
import { createPageTokens } from '../security/page-tokens.ts';
import { passwords } from '../security/password.ts';
import { createSessionTokens } from '../security/session-token.ts';
import { createAccountSide } from '../usecases/account-side.ts';
import { createSignInLimits } from '../usecases/accounts/create-sign-in-limits.ts';
import { bulkHints } from '../usecases/bulk-syncs/sweep-bulk-syncs.ts';
import { deliveryHints } from '../usecases/deliveries/delivery-hints.ts';
import { createHints } from '../usecases/hints.ts';
import type { Foundation } from './foundation.ts';
import { composePayments } from './payments.ts';
import { nudger } from './items.ts';
import { composeOrchestrator } from './orchestrator.ts';

/** The use cases around accounts, keys, webhooks, members and connections. `settle` waits for what runs beside the calls. */
export function composeAccountSide(foundation: Foundation) {
  const { config, logger, store, metrics, now } = foundation;
  const hints = createHints(logger, (how) => metrics.hintsLost.add({ how }));
  const orchestrator = composeOrchestrator(foundation);
  const { settle, ...accountSide } = createAccountSide({
    store,
    encryption: createEncryption(config.secrets.encryptionKeys),
    sessions: createSessionTokens(config.secrets.jwtKeys),
    devices: createDeviceTokens(config.secrets.jwtKeys),
    pageTokens: createPageTokens(config.secrets.jwtKeys),
    passwords: foundation.instead?.passwords ?? passwords,
    signInLimits: createSignInLimits(store, config.signIn, {
      onTrouble: (error) => {
        logger.warn({ err: error }, 'sign_in_limits.unshared');
      },
    }),
    addressPolicy: { allowPrivateNetworks: config.allowPrivateNetworks },
    logger,
    hints: {
      ...deliveryHints(hints, orchestrator),
      ...bulkHints(hints, orchestrator),
      nudgeItem: nudger(hints, orchestrator),
    },
    platformFeeBps: config.platformFeeBps,
    storageQuota: config.storageQuota,
    payments: composePayments(foundation),
    publicUrl: config.publicUrl,
    now,
    newId: randomUUID,
  });
  return { ...accountSide, settle: () => Promise.all([settle(), hints.drain()]) };
}
