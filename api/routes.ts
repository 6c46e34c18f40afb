import type { Route } from './http/route.ts';
import { accountRoutes } from './routes/account-routes.ts';
import { eventRoutes } from './routes/event-routes.ts';
import { itemRoutes } from './routes/item-routes.ts';
import { partnerRoutes } from './routes/partner-routes.ts';
import { publicRoutes } from './routes/public-routes.ts';
import { vehicleRoutes } from './routes/vehicle-routes.ts';
import { webhookRecoveryRoutes } from './routes/webhook-recovery-routes.ts';
import { webhookRoutes } from './routes/webhook-routes.ts';

/** Every path of the interface, in the order in which the document shows them. */
export const routes: readonly Route[] = [
  ...itemRoutes,
  ...accountRoutes,
  ...webhookRoutes,
  ...webhookRecoveryRoutes,
  ...eventRoutes,
  ...partnerRoutes,
  ...vehicleRoutes,
  ...publicRoutes,
];
