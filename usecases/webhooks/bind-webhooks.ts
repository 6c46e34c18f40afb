import type { Binder } from '../bind.ts';
import { readEvents } from '../events/read-events.ts';
import { listTargetRecoveries } from '../recoveries/list-target-recoveries.ts';
import { previewRecovery, recoverTarget } from '../recoveries/recover-target.ts';
import { changeWebhook } from './change-webhook.ts';
import { createWebhookOnce } from './create-webhook-once.ts';
import { deleteWebhook } from './delete-webhook.ts';
import { listWebhookDeliveries } from './list-webhook-deliveries.ts';
import { listWebhooks } from './list-webhooks.ts';
import { readWebhookDelivery } from './read-webhook-delivery.ts';
import { readWebhookSettings } from './read-webhook-settings.ts';
import { previewRedelivery, redeliver } from './redeliver.ts';
import { rotateSettingsSecret } from './rotate-settings-secret.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';
import { sendTestEvent } from './send-test-event.ts';
import { setWebhookUrl } from './set-webhook-url.ts';

export const bindWebhooks = ({ bind, bindCreating }: Binder) => ({
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
});
