import type { ListingTerms, PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Money } from '../../ui/money.tsx';
import { Time } from '../../ui/time.tsx';
import { auctionTexts } from './auction-texts.ts';

/** When the running auction ends, and what is bid, as of the last look. */
export function Auction({ auction }: { readonly auction: NonNullable<PartnerItem['auction']> }) {
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

/** The terms as they were pushed, one a line. */
export function Terms({ terms }: { readonly terms: ListingTerms }) {
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
    ...(shippingOptions ?? []).map(({ optionId, cost }) => t.shipping(optionId, kr(cost))),
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
