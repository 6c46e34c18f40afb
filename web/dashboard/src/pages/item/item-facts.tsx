import type { ListingTerms, PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { wayText } from '../../../../../client/files/cell-values.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { ExternalLink } from '../../ui/button.tsx';
import { Facts, Money, Time } from '../../ui/facts.tsx';
import { Card } from '../../ui/page.tsx';
import { auctionTexts, itemTexts } from './texts.ts';

export function ItemFacts({ item }: { readonly item: PartnerItem }) {
  const t = useTexts(itemTexts);
  const format = useFormat();
  const { weightKg, marketplaceAdUrl, marketplaceAdId, workflow } = item;
  return (
    <Card>
      <Facts
        facts={[
          { label: t.price, value: <Money sek={item.price} /> },
          { label: t.quantity, value: item.quantity === undefined ? null : format.number(item.quantity) },
          { label: t.shipping, value: <Shipping sek={item.shippingCost} /> },
          { label: t.weight, value: weightKg === null ? null : t.kilos(format.number(weightKg)) },
          {
            label: t.marketplace,
            value: marketplaceAdUrl && <ExternalLink href={marketplaceAdUrl}>{t.auction}</ExternalLink>,
          },
          { label: t.running, value: item.auction && <Auction auction={item.auction} /> },
          { label: t.terms, value: item.listing && <Terms terms={item.listing} /> },
          { label: t.adId, value: marketplaceAdId && <code>{marketplaceAdId}</code> },
          { label: t.externalId, value: <code>{item.externalId}</code> },
          { label: t.serviceId, value: <code>{item.serviceItemId}</code> },
          { label: t.created, value: <Time at={item.createdAt} /> },
          { label: t.updated, value: <Time at={item.updatedAt} /> },
          { label: t.workflow, value: workflow && <WorkflowLink {...workflow} /> },
        ]}
      />
    </Card>
  );
}

function Shipping({ sek }: { readonly sek: number | null }) {
  const t = useTexts(itemTexts);
  if (sek === null) return <>–</>;
  return sek === 0 ? <>{t.freeShipping}</> : <Money sek={sek} />;
}

/** For operators: links to the item's workflow. */
function WorkflowLink({ id, url, stuckUrl }: NonNullable<PartnerItem['workflow']>) {
  const t = useTexts(itemTexts);
  if (url === null) return <code>{id}</code>;
  return (
    <>
      <ExternalLink href={url}>
        {t.workflow} {t.inTemporal}
      </ExternalLink>
      {stuckUrl !== null && (
        <>
          {' · '}
          <ExternalLink href={stuckUrl}>{t.stuckAlike}</ExternalLink>
        </>
      )}
    </>
  );
}

/** End and bids of the running auction, as of the last look. */
function Auction({ auction }: { readonly auction: NonNullable<PartnerItem['auction']> }) {
  const t = useTexts(auctionTexts);
  const { endsAt, bids, currentPrice, seenAt } = auction;
  if (seenAt === null) return <>{t.notSeen}</>;
  return (
    <>
      {endsAt !== null && (
        <>
          {t.ends} <Time at={endsAt} />
          <br />
        </>
      )}
      {t.bids(bids ?? 0)}
      {currentPrice !== null && (
        <>
          , <Money sek={currentPrice} />
        </>
      )}
      <br />
      <span class="muted small">
        {t.asOf} <Time at={seenAt} />
      </span>
    </>
  );
}

/** The pushed terms, one per line. */
function Terms({ terms }: { readonly terms: ListingTerms }) {
  const t = useTexts(auctionTexts);
  const format = useFormat();
  const kr = (sek: number): string => format.money(sek);
  const { durationDays, startsAt, endsAt, reservePrice, buyNowPrice, relist, shippingOptions, vatPercent } = terms;
  const lines = [
    durationDays != null && t.days(durationDays),
    startsAt != null && t.starts(format.exactTime(startsAt)),
    endsAt != null && t.endsAt(format.exactTime(endsAt)),
    reservePrice != null && t.reserve(kr(reservePrice)),
    buyNowPrice != null && t.buyNow(kr(buyNowPrice)),
    relist != null && t.relist(relist.times, relist.priceStep == null ? null : kr(relist.priceStep)),
    ...(shippingOptions ?? []).map((way) => t.shipping(wayText(way), kr(way.cost))),
    vatPercent != null && t.vat(vatPercent),
    terms.categoryId != null && t.category(terms.categoryId),
  ].filter((line) => line !== false);
  return (
    <>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </>
  );
}
