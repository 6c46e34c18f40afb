import type { PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { useDomainLabel } from '../../api/categories.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { tellImageFailure } from '../../history/image-failures.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useParam } from '../../routing/router.tsx';
import { useMember } from '../../shell/member-choice.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Badge, Thumbnail, type Tone } from '../../ui/icon.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Page, Section } from '../../ui/page.tsx';
import { itemsPath } from '../items/item-path.ts';
import { StatusBadges } from '../items/status-badges.tsx';
import { flattenAttributes } from './flatten-attributes.ts';
import { ItemActions } from './item-actions.tsx';
import { readItem, type ItemReference, type ReadItem } from './item-api.ts';
import { ItemFacts } from './item-facts.tsx';
import './item.css';
import { Standing } from './standing.tsx';
import { itemTexts } from './texts.ts';
import { TimelineList, useTimeline } from './timeline-list.tsx';

export function ItemPage() {
  const t = useTexts(itemTexts);
  const externalId = useParam('externalId');
  const member = useMember();
  const reference = { externalId, member };
  const item = useResource(async (signal) => readItem(reference, signal), {
    on: [member],
    pollMs: watchedMs,
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

function Lead({ item }: { readonly item: PartnerItem }) {
  return (
    <span class="row">
      <code>{item.externalId}</code>
      <StatusBadges item={{ ...item, waitingFor: item.processing.waitingFor }} />
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

/** The description for buyers; when the service improved it, also the pushed one. */
export function ItemText({ item: { description, original } }: { readonly item: PartnerItem }) {
  const t = useTexts(itemTexts);
  return (
    <Section title={t.description}>
      <Card>
        <p class={description === '' ? 'muted' : 'item-text'}>{description === '' ? t.noDescription : description}</p>
        {original !== undefined && (
          <details>
            <summary>{t.original}</summary>
            <p class="item-text">
              <strong>{original.title}</strong>
            </p>
            <p class="item-text">{original.description}</p>
          </details>
        )}
      </Card>
    </Section>
  );
}

type Image = PartnerItem['images'][number];

const tones: Readonly<Record<Image['state'], Tone>> = { pending: 'wait', hosted: 'ok', failed: 'bad' };

/** Every image with its state; hosted ones open in full size. */
export function ItemImages({ images }: { readonly images: readonly Image[] }) {
  const t = useTexts(itemTexts);
  const language = useLanguage();
  if (images.length === 0) return <p class="muted">{t.noImages}</p>;
  return (
    <ul class="item-images">
      {images.map((image, index) => (
        <li key={`${index} ${image.sourceUrl}`}>
          <Picture image={image} name={t.image(index + 1)} />
          <p class="row">
            <Badge tone={tones[image.state]}>{t.imageStates[image.state]}</Badge>
            <a class="small" href={image.sourceUrl} target="_blank" rel="noopener noreferrer">
              {t.source}
              <span class="unseen"> {t.image(index + 1)}</span>
            </a>
          </p>
          {image.failure !== null && <p class="small item-image-reason">{tellImageFailure(image.failure, language)}</p>}
        </li>
      ))}
    </ul>
  );
}

function Picture({ image: { url, thumbnailUrl }, name }: { readonly image: Image; readonly name: string }) {
  if (url === null) return <Thumbnail url={null} size="large" />;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" aria-label={name}>
      <Thumbnail url={thumbnailUrl ?? url} size="large" />
    </a>
  );
}

/** The domain and its attributes, under the pushed names. */
export function Attributes({ attributes }: { readonly attributes: Readonly<Record<string, unknown>> }) {
  const t = useTexts(itemTexts);
  const labelOf = useDomainLabel();
  const { domain } = attributes;
  // An item that was pushed without a domain belongs to `other`.
  const slug = typeof domain === 'string' ? domain : 'other';
  const lines = flattenAttributes(attributes).map(({ name, value }) => ({ label: name, value }));
  return (
    <Card>
      <Facts facts={[{ label: t.domain, value: labelOf(slug) }, ...lines]} />
    </Card>
  );
}
