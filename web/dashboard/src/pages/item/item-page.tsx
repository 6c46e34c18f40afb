import type { PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useParam } from '../../routing/router.tsx';
import { useMember } from '../../shell/member-choice.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { itemsPath } from '../items/item-path.ts';
import { MarketplaceBadge, ServiceBadge } from '../items/status-badges.tsx';
import { Attributes } from './attributes.tsx';
import { readItem, type ItemReference, type ReadItem } from './item-api.ts';
import { ItemActions } from './item-actions.tsx';
import { ItemFacts } from './item-facts.tsx';
import { ItemImages } from './item-images.tsx';
import { ItemText } from './item-text.tsx';
import { lookAtItemAgainMs } from './look-at-item-again.ts';
import { Standing } from './standing.tsx';
import { TimelineList } from './timeline-list.tsx';
import { itemTexts } from './texts.ts';
import { useTimeline } from './use-timeline.ts';
import './item.css';

export function ItemPage() {
  const t = useTexts(itemTexts);
  const externalId = useParam('externalId');
  const member = useMember();
  const reference = { externalId, member };
  const item = useResource(async (signal) => readItem(reference, signal), {
    on: [member],
    pollMs: lookAtItemAgainMs,
    shows: [{ kind: 'items', id: externalId }],
  });
  const title = item.data === undefined ? externalId : item.data.title || t.untitled;
  const parent = { href: itemsPath(member), label: t.items };
  return (
    <Page title={title} parent={parent} lead={item.data && <Lead item={item.data} />}>
      <Loaded resource={item}>
        {(data) => <Contents item={data} reference={reference} onChanged={item.reload} />}
      </Loaded>
    </Page>
  );
}

/** Sold is said once: both states then say the same. */
function Lead({ item }: { readonly item: PartnerItem }) {
  const { serviceStatus, marketplaceStatus, processing } = item;
  const isSaidAlready = serviceStatus === 'sold' && marketplaceStatus === 'sold';
  return (
    <span class="row">
      <code>{item.externalId}</code>
      <ServiceBadge status={item.serviceStatus} />
      {!isSaidAlready && <MarketplaceBadge item={{ ...item, waitingFor: processing.waitingFor }} />}
    </span>
  );
}

interface ContentsProps {
  readonly item: ReadItem;
  readonly reference: ItemReference;
  readonly onChanged: () => void;
}

function Contents({ item, reference, onChanged }: ContentsProps) {
  const t = useTexts(itemTexts);
  const timeline = useTimeline(reference, item);
  return (
    <>
      <Standing item={item} />
      <ItemActions item={item} reference={reference} onChanged={onChanged} />
      <div class="item-columns">
        <div class="stack item-main">
          <Section title={t.images}>
            <ItemImages images={item.images} />
          </Section>
          <ItemText item={item} />
          <Section title={t.attributes}>
            <Attributes attributes={item.extendedAttributes} />
          </Section>
        </div>
        <div class="stack item-side">
          <Section title={t.facts}>
            <ItemFacts item={item} />
          </Section>
          <Section title={t.timeline}>
            <TimelineList timeline={timeline} />
          </Section>
        </div>
      </div>
    </>
  );
}
