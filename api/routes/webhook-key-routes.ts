import { postWebhookUnder } from '../handlers/webhooks.ts';
import type { KeyRoute, Route, SessionRoute } from '../http/route.ts';
import { webhookRecoveryRoutes } from './webhook-recovery-routes.ts';
import { webhookRoutes } from './webhook-routes.ts';

const base = '/integration/v1/webhooks';

/**
 * Endpoints and deliveries for programs: the routes of a session once more, under paths of their own and with a key. The specified
 * paths go on to refuse keys. The account-level URL stays with the session, because its secret is shown by the first read.
 */
const sameByKey = ({ forMembers: _forMembers, ...route }: SessionRoute): KeyRoute => ({
  ...route,
  path: route.path.replace('/integration/', '/integration/v1/'),
  name: `${route.name}ByKey`,
  summary: `${route.summary}, with an API key`,
  credential: 'api-key',
  keyScope: route.method === 'get' ? 'webhooks:read' : 'webhooks:write',
  isOwnAlone: true,
  ...(route.name === 'createWebhook' && { handle: postWebhookUnder(base) }),
});

const isSession = (route: Route): route is SessionRoute => route.credential === 'jwt';
const isOfSettings = ({ path }: Route): boolean => path.startsWith('/integration/webhook-settings');

export const webhookKeyRoutes: readonly KeyRoute[] = [...webhookRoutes, ...webhookRecoveryRoutes]
  .filter(isSession)
  .filter((route) => !isOfSettings(route))
  .map(sameByKey);
