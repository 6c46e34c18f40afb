import { useTexts } from '../i18n/define-texts.ts';
import { usePlace } from '../routing/location.ts';
import { ExternalLink } from '../ui/external-link.tsx';
import { menu } from './menu-entries.ts';
import { shellTexts } from './texts.ts';
import './menu.css';

export function Menu() {
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

/** A page below an entry's own is marked there, too: `/dashboard/items/A1` under items. */
function currentMark(entryPath: string, path: string): 'page' | 'true' | undefined {
  if (path === entryPath) return 'page';
  return entryPath !== '/dashboard' && path.startsWith(`${entryPath}/`) ? 'true' : undefined;
}
