import type { ItemListEntry } from '../../../../../client/generated/types.gen.ts';
import { stateWords } from '../../../../../features/rules/state-words.ts';
import { defineTexts, useTexts } from '../../i18n/define-texts.ts';
import { Badge } from '../../ui/icon.tsx';
import { hasNoImages, isBeingPublished } from './being-published.ts';
import { marketplaceTones, serviceTones, type MarketplaceStatus, type ServiceStatus } from './item-states.ts';

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

/** Both states beside each other; a sold item has one badge, unless it still has an auction or trouble with one. */
export function StatusBadges({ item }: { item: MarketplaceBadgeProps['item'] & { serviceStatus: ServiceStatus } }) {
  const isSaidAlready =
    item.serviceStatus === 'sold' && (item.marketplaceStatus === 'sold' || item.marketplaceStatus === 'pending_sync');
  return (
    <>
      <ServiceBadge status={item.serviceStatus} /> {!isSaidAlready && <MarketplaceBadge item={item} />}
    </>
  );
}

export const statusTexts = defineTexts({
  sv: {
    service: stateWords.sv.service,
    marketplace: stateWords.sv.marketplace,
    publishing: 'Publiceras',
    noImages: 'Bilderna misslyckades',
  },
  en: {
    service: stateWords.en.service,
    marketplace: stateWords.en.marketplace,
    publishing: 'Publishing',
    noImages: 'Images failed',
  },
});
