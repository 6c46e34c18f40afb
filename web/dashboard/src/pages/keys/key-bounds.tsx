import type { ApiKey } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import { keysTexts } from './texts.ts';

/** The part that is shown; a key of the sandbox stands out. */
export function KeyPrefix({ of: { prefix, mode } }: { readonly of: ApiKey }) {
  const t = useTexts(keysTexts);
  return (
    <span class="key-bounds">
      <code>{prefix}…</code>
      {mode === 'test' && <Badge tone="wait">{t.test}</Badge>}
    </span>
  );
}

/** What the key may do, and from where. */
export function KeyRights({ of: { scopes, addresses } }: { readonly of: ApiKey }) {
  const t = useTexts(keysTexts);
  return (
    <span class="key-bounds">
      {scopes === null ? t.everything : scopes.map((scope) => t.scopeNames[scope]).join(', ')}
      {addresses !== null && <span class="muted small">{t.onlyFrom(addresses.join(', '))}</span>}
    </span>
  );
}

/** When it ends; what ends soon, or has ended, stands out. */
export function KeyEnd({ of: { expiresAt, state } }: { readonly of: ApiKey }) {
  const t = useTexts(keysTexts);
  if (expiresAt === null) return <span class="muted">{t.never}</span>;
  return (
    <span class="key-bounds">
      <Time at={expiresAt} />
      {state === 'expiring' && <Badge tone="wait">{t.endsSoon}</Badge>}
      {state === 'expired' && <Badge tone="bad">{t.ended}</Badge>}
    </span>
  );
}
