import type { Route } from './http/route.ts';
import { accountEmailRoutes, accountRoutes } from './routes/account-routes.ts';
import { analyticsRoutes, auditRoutes, eventRoutes, requestLogRoutes, usageRoutes } from './routes/report-routes.ts';
import { bulkSyncRoutes } from './routes/bulk-sync-routes.ts';
import { exportRoutes } from './routes/export-routes.ts';
import { itemRoutes } from './routes/item-routes.ts';
import { dealRoutes } from './routes/deal-routes.ts';
import { listingRoutes, marketplaceRoutes } from './routes/marketplace-routes.ts';
import { partnerRoutes } from './routes/partner-routes.ts';
import { orderRoutes } from './routes/order-routes.ts';
import { partnerItemRoutes } from './routes/partner-item-routes.ts';
import { publicRoutes, vehicleRoutes } from './routes/public-routes.ts';
import { sandboxRoutes } from './routes/sandbox-routes.ts';
import { searchRoutes } from './routes/search-routes.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { paymentRoutes } from './routes/payment-routes.ts';
import { webhookKeyRoutes, webhookRoutes } from './routes/webhook-routes.ts';
import { webhookRecoveryRoutes } from './routes/webhook-recovery-routes.ts';

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
  ...marketplaceRoutes,
  ...partnerRoutes,
  ...dealRoutes,
  ...orderRoutes,
  ...sandboxRoutes,
  ...exportRoutes,
  ...analyticsRoutes,
  ...usageRoutes,
  ...paymentRoutes,
  ...searchRoutes,
  ...requestLogRoutes,
  ...auditRoutes,
  ...vehicleRoutes,
  ...publicRoutes,
];
