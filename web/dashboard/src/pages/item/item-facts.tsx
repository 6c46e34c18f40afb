import type { PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { Auction, Terms } from './auction-facts.tsx';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { ExternalLink } from '../../ui/external-link.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Money } from '../../ui/money.tsx';
import { Card } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { itemTexts } from './texts.ts';

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

/** For operators: where its work can be watched. */
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
