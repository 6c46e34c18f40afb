// The exports of the package @itembridge/client.
export type * from './generated/types.gen.ts';
export { LineSourceError, isOver, type BulkSyncs, type LineSource, type UploadOptions } from './bulk-syncs.ts';
export { createItembridgeClient, type ClientSettings, type ItembridgeClient } from './create-itembridge-client.ts';
export { ItembridgeError, ItembridgeUnreachable } from './itembridge-error.ts';
export { openSession, type Credentials, type OpenSession } from './open-session.ts';
export type { FollowOptions, PageOptions, Pages } from './pages.ts';
export type { Retry, RetrySettings } from './retries.ts';
export { clientVersion } from './user-agent.ts';
export { verifyWebhook, WebhookVerificationError, type WebhookDelivery } from './verify-webhook.ts';
