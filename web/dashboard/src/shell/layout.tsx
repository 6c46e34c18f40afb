import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useMeAnswered } from '../api/me.ts';
import { signOut, type SignedInAccount } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { FinderButton, useFinder } from '../finder/finder.tsx';
import { useTexts } from '../i18n/define-texts.ts';
import { usePlace } from '../routing/location.ts';
import { Button, ExternalLink } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { Loading } from '../ui/loaded.tsx';
import { ErrorNote } from '../ui/notice.tsx';
import { Toasts } from '../ui/toasts.tsx';
import './account-box.css';
import { Brand } from './entrance.tsx';
import './layout.css';
import { MemberBanner } from './member-choice.tsx';
import './menu.css';
import { LanguageSwitch, ThemeSwitch } from './switch.tsx';
import { shellTexts } from './texts.ts';

interface LayoutProps {
  readonly account: SignedInAccount;
  readonly children: ComponentChildren;
}

/** The menu next to the page; on a phone it opens above it. */
export function Layout({ account, children }: LayoutProps) {
  const t = useTexts(shellTexts);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { path } = usePlace();
  const finder = useFinder();
  const isKnown = useMeAnswered();
  useEffect(() => {
    setMenuOpen(false);
  }, [path]);
  return (
    <div class="layout">
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <header class="layout-side">
        <div class="layout-bar">
          <a class="layout-home" href="/dashboard">
            <Brand />
          </a>
          <FinderButton onClick={finder.open} />
          <button
            type="button"
            class="layout-menu-button"
            aria-expanded={isMenuOpen}
            aria-controls="menu"
            onClick={() => {
              setMenuOpen(!isMenuOpen);
            }}
          >
            <Icon name={isMenuOpen ? 'close' : 'menu'} />
            {t.menu}
          </button>
        </div>
        <div id="menu" class={classNames('layout-menu', isMenuOpen && 'layout-menu-open')}>
          <Menu />
          <AccountBox account={account} />
        </div>
      </header>
      <main id="content" class="layout-content" tabIndex={-1}>
        {!isKnown && <Loading />}
        <MemberBanner />
        {children}
      </main>
      <Toasts />
      {finder.dialog}
    </div>
  );
}

function Menu() {
  const t = useTexts(shellTexts);
  const { path } = usePlace();
  return (
    <nav class="menu" aria-label={t.pages}>
      {menu.map((group) => (
        <div key={group.word} class="menu-group">
          <p id={`menu-${group.word}`}>{t[group.word]}</p>
          <ul aria-labelledby={`menu-${group.word}`}>
            {group.entries.map((entry) => (
              <li key={entry.path}>
                <a href={entry.path} aria-current={currentMark(entry.path, path)}>
                  {t[entry.word]}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <p class="menu-reference">
        <ExternalLink href="/docs/">{t.reference}</ExternalLink>
      </p>
    </nav>
  );
}

/** A page below an entry's own address is marked, too: `/dashboard/items/A1` under items. */
function currentMark(entryPath: string, path: string): 'page' | 'true' | undefined {
  if (path === entryPath) return 'page';
  return entryPath !== '/dashboard' && path.startsWith(`${entryPath}/`) ? 'true' : undefined;
}

type Word = Exclude<keyof (typeof shellTexts)['sv'], 'themes'>;

interface MenuEntry {
  readonly path: string;
  readonly word: Word;
}

interface MenuGroup {
  readonly word: Word;
  readonly entries: readonly MenuEntry[];
}

const menu: readonly MenuGroup[] = [
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

/** The signed-in account, language and theme, and the sign-out. */
function AccountBox({ account }: { readonly account: SignedInAccount }) {
  const t = useTexts(shellTexts);
  const leaving = useAction(signOut);
  return (
    <div class="account-box">
      <div>
        <p class="account-name">{account.name}</p>
        <p class="muted small">{account.email}</p>
      </div>
      <div class="row">
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
      <Button onClick={leaving.run} isPending={leaving.isPending}>
        {t.signOut}
      </Button>
      <ErrorNote error={leaving.error} />
    </div>
  );
}
