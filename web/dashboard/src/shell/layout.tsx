import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useChangeStream } from '../api/change-stream.ts';
import type { SignedInAccount } from '../api/session.ts';
import { useTexts } from '../i18n/define-texts.ts';
import { usePlace } from '../routing/location.ts';
import { FinderButton, useFinder } from '../finder/finder.tsx';
import { classNames } from '../ui/class-names.ts';
import { Icon } from '../ui/icon.tsx';
import { Toasts } from '../ui/toasts.tsx';
import { AccountBox } from './account-box.tsx';
import { Brand } from './brand.tsx';
import { MemberBanner, useMember } from './member-choice.tsx';
import { Menu } from './menu.tsx';
import { shellTexts } from './texts.ts';
import './layout.css';

interface LayoutProps {
  readonly account: SignedInAccount;
  readonly children: ComponentChildren;
}

/** The menu beside the page; on a phone it opens above it. */
export function Layout({ account, children }: LayoutProps) {
  const t = useTexts(shellTexts);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const { path } = usePlace();
  useChangeStream(useMember());
  const finder = useFinder();
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
        <MemberBanner />
        {children}
      </main>
      <Toasts />
      {finder.dialog}
    </div>
  );
}
