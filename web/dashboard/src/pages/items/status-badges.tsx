import { useTexts } from '../../i18n/define-texts.ts';
import { Badge } from '../../ui/badge.tsx';
import type { ItemListEntry } from '../../../../../client/generated/types.gen.ts';
import { isBeingPublished } from './being-published.ts';
import {
  hasNoImages,
  marketplaceTones,
  serviceTones,
  type MarketplaceStatus,
  type ServiceStatus,
} from './item-states.ts';
import { statusTexts } from './status-texts.ts';

export function ServiceBadge({ status }: { readonly status: ServiceStatus }) {
  const t = useTexts(statusTexts);
  return <Badge tone={serviceTones[status]}>{t.service[status]}</Badge>;
}

interface MarketplaceBadgeProps {
  readonly item: {
    readonly marketplaceStatus: MarketplaceStatus;
    readonly marketplaceAdId: string | null;
    readonly waitingFor: ItemListEntry['waitingFor'];
  };
}

export function MarketplaceBadge({ item }: MarketplaceBadgeProps) {
  const t = useTexts(statusTexts);
  const { marketplaceStatus } = item;
  if (hasNoImages(item)) return <Badge tone="bad">{t.noImages}</Badge>;
  if (isBeingPublished(item)) return <Badge tone="wait">{t.publishing}</Badge>;
  return <Badge tone={marketplaceTones[marketplaceStatus]}>{t.marketplace[marketplaceStatus]}</Badge>;
}
