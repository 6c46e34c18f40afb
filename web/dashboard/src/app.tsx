import { currentPlace } from './routing/location.ts';
import { findPage, Router, type PageEntry } from './routing/router.tsx';
import { FailedPage, NotFoundPage } from './shell/failed-page.tsx';
import { Gate } from './shell/gate.tsx';
import { Layout } from './shell/layout.tsx';
import { Loading } from './ui/loaded.tsx';

/** Every page with its code, which is loaded when the page is opened. */
const pages: readonly PageEntry[] = [
  { path: '/dashboard', load: async () => (await import('./pages/overview/overview-page.tsx')).OverviewPage },
  { path: '/dashboard/items', load: async () => (await import('./pages/items/items-page.tsx')).ItemsPage },
  { path: '/dashboard/items/:externalId', load: async () => (await import('./pages/item/item-page.tsx')).ItemPage },
  { path: '/dashboard/orders', load: async () => (await import('./pages/orders/orders-page.tsx')).OrdersPage },
  {
    path: '/dashboard/bulk-syncs',
    load: async () => (await import('./pages/bulk-syncs/bulk-syncs-page.tsx')).BulkSyncsPage,
  },
  // Before `:id`, which would match it.
  {
    path: '/dashboard/bulk-syncs/new',
    load: async () => (await import('./pages/send-file/send-file-page.tsx')).SendFilePage,
  },
  {
    path: '/dashboard/bulk-syncs/:id',
    load: async () => (await import('./pages/bulk-sync/bulk-sync-page.tsx')).BulkSyncPage,
  },
  { path: '/dashboard/keys', load: async () => (await import('./pages/keys/keys-page.tsx')).KeysPage },
  { path: '/dashboard/webhooks', load: async () => (await import('./pages/webhooks/webhooks-page.tsx')).WebhooksPage },
  { path: '/dashboard/webhooks/:id', load: async () => (await import('./pages/webhook/webhook-page.tsx')).WebhookPage },
  {
    path: '/dashboard/deliveries',
    load: async () => (await import('./pages/deliveries/deliveries-page.tsx')).DeliveriesPage,
  },
  {
    path: '/dashboard/deliveries/:id',
    load: async () => (await import('./pages/delivery/delivery-page.tsx')).DeliveryPage,
  },
  { path: '/dashboard/requests', load: async () => (await import('./pages/requests/requests-page.tsx')).RequestsPage },
  {
    path: '/dashboard/connection',
    load: async () => (await import('./pages/connection/connection-page.tsx')).ConnectionPage,
  },
  { path: '/dashboard/reseller', load: async () => (await import('./pages/reseller/reseller-page.tsx')).ResellerPage },
  {
    path: '/dashboard/subscription',
    load: async () => (await import('./pages/subscription/subscription-page.tsx')).SubscriptionPage,
  },
  { path: '/dashboard/security', load: async () => (await import('./pages/security/security-page.tsx')).SecurityPage },
  {
    path: '/dashboard/audit-log',
    load: async () => (await import('./pages/audit-log/audit-log-page.tsx')).AuditLogPage,
  },
];

/** The dashboard: sign-in, layout and pages. */
export function App() {
  return (
    <Gate>
      {(account) => (
        <Layout account={account}>
          <Router pages={pages} notFound={NotFoundPage} failed={FailedPage} loading={Loading} />
        </Layout>
      )}
    </Gate>
  );
}

/** Starts to load the code of the requested page, in parallel with the session. */
export function preloadPage(): void {
  findPage(pages, currentPlace().path)
    ?.entry.load()
    .catch(() => undefined);
}
