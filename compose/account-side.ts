import { randomUUID } from 'node:crypto';
import { createTemporalOrchestrator } from '../gateways/orchestrator/temporal-orchestrator.ts';
import { createEncryption } from '../security/encryption.ts';
import { createSessionTokens } from '../security/session-token.ts';
import { createAccountSide } from '../usecases/account-side.ts';
import { deliveryHints } from '../usecases/deliveries/delivery-hints.ts';
import { createHints } from '../usecases/hints.ts';
import { now, type Foundation } from './foundation.ts';

/** The use cases around accounts, keys, webhooks, members and connections. `settle` waits for what runs beside the calls. */
export function composeAccountSide({ config, logger, store, client }: Foundation) {
  const hints = createHints(logger);
  const { settle, ...accountSide } = createAccountSide({
    store,
    encryption: createEncryption(config.secrets.encryptionKeys),
    sessions: createSessionTokens(config.secrets.jwtKeys),
    addressPolicy: { allowPrivateNetworks: config.allowPrivateNetworks },
    logger,
    hints: deliveryHints(hints, createTemporalOrchestrator(client, config.temporal.taskQueue)),
    now,
    newId: randomUUID,
  });
  return { ...accountSide, settle: () => Promise.all([settle(), hints.drain()]) };
}
