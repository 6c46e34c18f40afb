import type { Route } from './http/route.ts';
import { accountEmailRoutes } from './routes/account-email-routes.ts';
import { accountRoutes } from './routes/account-routes.ts';
import { analyticsRoutes } from './routes/analytics-routes.ts';
import { auditRoutes } from './routes/audit-routes.ts';
import { usageRoutes } from './routes/usage-routes.ts';
import { changeRoutes } from './routes/change-routes.ts';
import { bulkSyncRoutes } from './routes/bulk-sync-routes.ts';
import { eventRoutes } from './routes/event-routes.ts';
import { exportRoutes } from './routes/export-routes.ts';
import { itemRoutes } from './routes/item-routes.ts';
import { listingRoutes } from './routes/listing-routes.ts';
import { orderRoutes } from './routes/order-routes.ts';
import { partnerItemRoutes } from './routes/partner-item-routes.ts';
import { partnerRoutes } from './routes/partner-routes.ts';
import { publicRoutes } from './routes/public-routes.ts';
import { sandboxRoutes } from './routes/sandbox-routes.ts';
import { searchRoutes } from './routes/search-routes.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { requestLogRoutes } from './routes/request-log-routes.ts';
import { subscriptionRoutes } from './routes/subscription-routes.ts';
import { vehicleRoutes } from './routes/vehicle-routes.ts';
import { webhookKeyRoutes } from './routes/webhook-key-routes.ts';
import { webhookRecoveryRoutes } from './routes/webhook-recovery-routes.ts';
import { webhookRoutes } from './routes/webhook-routes.ts';

/** Every path of the interface, in the order in which the document shows them. */
export const routes: readonly Route[] = [
  ...itemRoutes,
  ...partnerItemRoutes,
  ...listingRoutes,
  ...bulkSyncRoutes,
  ...sessionRoutes,
  ...accountEmailRoutes,
  ...accountRoutes,
  ...webhookRoutes,
  ...webhookRecoveryRoutes,
  ...webhookKeyRoutes,
  ...eventRoutes,
  ...partnerRoutes,
  ...orderRoutes,
  ...sandboxRoutes,
  ...exportRoutes,
  ...analyticsRoutes,
  ...usageRoutes,
  ...subscriptionRoutes,
  ...searchRoutes,
  ...changeRoutes,
  ...requestLogRoutes,
  ...auditRoutes,
  ...vehicleRoutes,
  ...publicRoutes,
];
