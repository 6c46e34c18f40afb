import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import './brand.css';
import './entrance.css';
import { LanguageSwitch } from './switch.tsx';

interface EntranceProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ComponentChildren;
  /** A link to the other way in. */
  readonly footer: ComponentChildren;
}

/** Frame of the pages for people who are not signed in. */
export function Entrance({ title, lead, children, footer }: EntranceProps) {
  useEffect(() => {
    document.title = `${title} · itembridge`;
  }, [title]);
  return (
    <div class="entrance">
      <main class="entrance-card">
        <Brand />
        <div>
          <h1>{title}</h1>
          <p class="muted">{lead}</p>
        </div>
        {children}
        <p class="small">{footer}</p>
      </main>
      <footer>
        <LanguageSwitch />
      </footer>
    </div>
  );
}

export function Brand() {
  return (
    <span class="brand">
      <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path d="M5 21h22M8 21a8 8 0 0 1 16 0M16 13v8" />
      </svg>
      itembridge
    </span>
  );
}
