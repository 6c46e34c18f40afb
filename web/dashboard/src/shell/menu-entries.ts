import type { shellTexts } from './texts.ts';

type Word = Exclude<keyof (typeof shellTexts)['sv'], 'themes'>;

interface MenuEntry {
  readonly path: string;
  readonly word: Word;
}

interface MenuGroup {
  readonly word: Word;
  readonly entries: readonly MenuEntry[];
}

export const menu: readonly MenuGroup[] = [
  {
    word: 'selling',
    entries: [
      { path: '/dashboard', word: 'overview' },
      { path: '/dashboard/items', word: 'items' },
      { path: '/dashboard/orders', word: 'orders' },
      { path: '/dashboard/bulk-syncs', word: 'bulkSyncs' },
    ],
  },
  {
    word: 'integration',
    entries: [
      { path: '/dashboard/keys', word: 'keys' },
      { path: '/dashboard/requests', word: 'requests' },
      { path: '/dashboard/webhooks', word: 'webhooks' },
      { path: '/dashboard/deliveries', word: 'deliveries' },
    ],
  },
  {
    word: 'account',
    entries: [
      { path: '/dashboard/connection', word: 'connection' },
      { path: '/dashboard/reseller', word: 'reseller' },
      { path: '/dashboard/subscription', word: 'subscription' },
      { path: '/dashboard/security', word: 'security' },
      { path: '/dashboard/audit-log', word: 'auditLog' },
    ],
  },
];
