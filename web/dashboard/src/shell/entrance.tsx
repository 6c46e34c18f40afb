import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Brand } from './brand.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import './entrance.css';

interface EntranceProps {
  readonly title: string;
  readonly lead: string;
  readonly children: ComponentChildren;
  /** The other way in. */
  readonly footer: ComponentChildren;
}

/** Frame of the pages before somebody is signed in. */
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
