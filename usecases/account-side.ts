import type { AccountSideContext } from './account-side-context.ts';
import { actForMember } from './accounts/act-for-member.ts';
import { authenticatePage } from './accounts/authenticate-page.ts';
import { authenticateSession } from './accounts/authenticate-session.ts';
import { bindAccounts } from './accounts/bind-accounts.ts';
import { confirmCredential } from './accounts/confirm-credential.ts';
import { recogniseToken } from './accounts/recognise-token.ts';
import { bindAnalytics } from './analytics/bind-analytics.ts';
import { authenticateApiKey } from './api-keys/authenticate-api-key.ts';
import { bindApiKeys } from './api-keys/bind-api-keys.ts';
import { createKeyUseRecorder } from './api-keys/key-use-recorder.ts';
import { bindAudit } from './audit/bind-audit.ts';
import { createBinder } from './bind.ts';
import { bindBulkSyncs } from './bulk-syncs/bind-bulk-syncs.ts';
import { answerOnce, answerStreamOnce } from './idempotency/answer-once.ts';
import { bindMarketplaceConnection } from './marketplace-connection/bind-marketplace-connection.ts';
import { bindOrders } from './orders/bind-orders.ts';
import { bindUsage } from './quota/bind-usage.ts';
import { bindResellers } from './resellers/bind-resellers.ts';
import { bindSubscription } from './subscription/bind-subscription.ts';
import { bindWebhooks } from './webhooks/bind-webhooks.ts';

export type AccountSide = ReturnType<typeof createAccountSide>;

/** The use cases around accounts, with their context filled in: one group for each noun, listed in its own folder. */
export function createAccountSide(given: Omit<AccountSideContext, 'confirmCredential'>) {
  const context: AccountSideContext = { ...given, confirmCredential: confirmCredential.bind(undefined, given) };
  const keyUse = createKeyUseRecorder(context);
  const binder = createBinder(context);
  return {
    /** Waits for what runs beside the calls; call it before the store is closed. */
    settle: () => keyUse.settle(),
    authentication: {
      byApiKey: authenticateApiKey.bind(undefined, { store: context.store, keyUse }),
      bySession: binder.bind(authenticateSession),
      byPage: binder.bind(authenticatePage),
      forMember: binder.bind(actForMember),
      recogniseToken: binder.bind(recogniseToken),
      confirm: context.confirmCredential,
    },
    idempotency: { answerOnce: binder.bind(answerOnce), answerStreamOnce: binder.bind(answerStreamOnce) },
    accounts: bindAccounts(binder),
    apiKeys: bindApiKeys(binder),
    webhooks: bindWebhooks(binder),
    marketplaceConnection: bindMarketplaceConnection(binder),
    audit: bindAudit(binder),
    bulkSyncs: bindBulkSyncs(binder),
    orders: bindOrders(binder),
    resellers: bindResellers(binder),
    analytics: bindAnalytics(binder),
    usage: bindUsage(binder),
    subscription: bindSubscription(binder),
  };
}
