import { defineTexts, useTexts, type Texts } from '../i18n/define-texts.ts';
import { deliveredTypes, type DeliveredType } from './event-types.ts';

/** The name of an event for people, and its name for programs. */
export function EventName({ type }: { readonly type: string }) {
  const words = useEventWords()(type);
  return (
    <span>
      {words !== type && `${words} `}
      <code class="muted small">{type}</code>
    </span>
  );
}

/** The names of events; an unknown type keeps its own name. */
export function useEventWords(): (type: string) => string {
  const words = useTexts(eventTexts);
  return (type) => {
    const known = deliveredTypes.find((one) => one === type);
    return known === undefined ? type : words[known];
  };
}

/** The names of the kinds of events. */
export const eventTexts: Texts<Readonly<Record<DeliveredType, string>>> = defineTexts({
  sv: {
    'item.created': 'Ny artikel',
    'item.images_ready': 'Bilderna klara',
    'listing.created': 'Auktion uppe',
    'listing.ended': 'Auktion slut utan köpare',
    'listing.failed': 'Publicering misslyckad',
    'item.sold': 'Såld',
    'order.paid': 'Order betald',
    'order.shipped': 'Order skickad',
    'order.cancelled': 'Order makulerad',
    'item.changed': 'Ändrad av någon annan',
    'webhook.test': 'Test',
  },
  en: {
    'item.created': 'New item',
    'item.images_ready': 'Images ready',
    'listing.created': 'Auction live',
    'listing.ended': 'Auction ended, no buyer',
    'listing.failed': 'Publishing failed',
    'item.sold': 'Sold',
    'order.paid': 'Order paid',
    'order.shipped': 'Order shipped',
    'order.cancelled': 'Order cancelled',
    'item.changed': 'Changed by someone else',
    'webhook.test': 'Test',
  },
});
