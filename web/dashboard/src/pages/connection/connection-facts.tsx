import type { MarketplaceConnection } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Card } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { connectionTexts } from './texts.ts';

export function ConnectionFacts({ connection }: { readonly connection: MarketplaceConnection }) {
  const t = useTexts(connectionTexts);
  const { marketplaceUserId, state, connectedAt, updatedAt } = connection;
  const isExpired = state === 'expired';
  return (
    <Card>
      <Facts
        facts={[
          {
            label: t.state,
            value: isExpired ? <Badge tone="bad">{t.expired}</Badge> : <Badge tone="ok">{t.connected}</Badge>,
          },
          { label: t.user, value: <code>{marketplaceUserId}</code> },
          { label: isExpired ? t.tokenGiven : t.since, value: <Time at={connectedAt} /> },
          { label: t.expiredAt, value: isExpired ? <Time at={updatedAt} /> : null },
        ]}
      />
      {!isExpired && <p class="muted small">{t.noWarning}</p>}
    </Card>
  );
}
