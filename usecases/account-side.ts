import { logIn } from './accounts/log-in.ts';
import { authenticateSession } from './accounts/authenticate-session.ts';
import { readOwnAccount } from './accounts/read-own-account.ts';
import { registerAccount } from './accounts/register-account.ts';
import type { AccountSideContext } from './account-side-context.ts';
import type { Scope } from '../core/scope.ts';
import { authenticateApiKey } from './api-keys/authenticate-api-key.ts';
import { generateApiKey } from './api-keys/generate-api-key.ts';
import { createKeyUseRecorder } from './api-keys/key-use-recorder.ts';
import { listApiKeys } from './api-keys/list-api-keys.ts';
import { revokeApiKey } from './api-keys/revoke-api-key.ts';
import { readEvents } from './events/read-events.ts';
import { answerOnce } from './idempotency/answer-once.ts';
import { reservedFirst } from './idempotency/reserved-first.ts';
import { readMarketplaceConnection } from './marketplace-connection/read-marketplace-connection.ts';
import { removeMarketplaceConnection } from './marketplace-connection/remove-marketplace-connection.ts';
import { setMarketplaceConnection } from './marketplace-connection/set-marketplace-connection.ts';
import { connectMember } from './resellers/connect-member.ts';
import { disconnectMember } from './resellers/disconnect-member.ts';
import { listMembers } from './resellers/list-members.ts';
import { readPublicProfile } from './resellers/read-public-profile.ts';
import { renameMember } from './resellers/rename-member.ts';
import { listTargetRecoveries } from './recoveries/list-target-recoveries.ts';
import { previewRecovery, recoverTarget } from './recoveries/recover-target.ts';
import { changeWebhook } from './webhooks/change-webhook.ts';
import { createWebhookOnce } from './webhooks/create-webhook-once.ts';
import { deleteWebhook } from './webhooks/delete-webhook.ts';
import { listWebhookDeliveries } from './webhooks/list-webhook-deliveries.ts';
import { listWebhooks } from './webhooks/list-webhooks.ts';
import { readWebhookDelivery } from './webhooks/read-webhook-delivery.ts';
import { readWebhookSettings } from './webhooks/read-webhook-settings.ts';
import { previewRedelivery, redeliver } from './webhooks/redeliver.ts';
import { rotateSettingsSecret } from './webhooks/rotate-settings-secret.ts';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.ts';
import { sendTestEvent } from './webhooks/send-test-event.ts';
import { setWebhookUrl } from './webhooks/set-webhook-url.ts';

export type AccountSide = ReturnType<typeof createAccountSide>;

/** The use cases around accounts, keys, webhooks, members and connections, with their context filled in. */
export function createAccountSide(context: AccountSideContext) {
  const keyUse = createKeyUseRecorder(context);
  const bind =
    <Rest extends unknown[], Result>(usecase: (context: AccountSideContext, ...rest: Rest) => Result) =>
    (...rest: Rest): Result =>
      usecase(context, ...rest);
  /** For what creates: `newId` gives the id reserved with the call's `Idempotency-Key` first, where there is one. */
  const bindCreating =
    <Rest extends unknown[], Result>(usecase: (context: AccountSideContext, scope: Scope, ...rest: Rest) => Result) =>
    (scope: Scope, ...rest: Rest): Result =>
      usecase({ ...context, newId: reservedFirst(scope, context.newId) }, scope, ...rest);
  return {
    /** Waits for what runs beside the calls; call it before the store is closed. */
    settle: () => keyUse.settle(),
    authentication: {
      byApiKey: authenticateApiKey.bind(undefined, { store: context.store, keyUse }),
      bySession: bind(authenticateSession),
    },
    accounts: { register: bind(registerAccount), logIn: bind(logIn), readOwn: bind(readOwnAccount) },
    idempotency: { answerOnce: bind(answerOnce) },
    apiKeys: { generate: bindCreating(generateApiKey), list: bind(listApiKeys), revoke: bind(revokeApiKey) },
    webhooks: {
      create: bindCreating(createWebhookOnce),
      list: bind(listWebhooks),
      change: bind(changeWebhook),
      remove: bind(deleteWebhook),
      rotateSecret: bind(rotateWebhookSecret),
      readSettings: bind(readWebhookSettings),
      setUrl: bind(setWebhookUrl),
      rotateSettingsSecret: bind(rotateSettingsSecret),
      listDeliveries: bind(listWebhookDeliveries),
      readDelivery: bind(readWebhookDelivery),
      readEvents: bind(readEvents),
      sendTest: bindCreating(sendTestEvent),
      redeliver: bind(redeliver),
      previewRedelivery: bind(previewRedelivery),
      recover: bindCreating(recoverTarget),
      previewRecovery: bind(previewRecovery),
      listRecoveries: bind(listTargetRecoveries),
    },
    marketplaceConnection: {
      set: bind(setMarketplaceConnection),
      read: bind(readMarketplaceConnection),
      remove: bind(removeMarketplaceConnection),
    },
    resellers: {
      connect: bindCreating(connectMember),
      disconnect: bind(disconnectMember),
      listMembers: bind(listMembers),
      renameMember: bind(renameMember),
      readPublicProfile: bind(readPublicProfile),
    },
  };
}
