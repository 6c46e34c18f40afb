import type { OrderBuyer as Buyer } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Facts } from '../../ui/facts.tsx';
import { Time } from '../../ui/time.tsx';
import { ordersTexts } from './texts.ts';

/** Who bought, and where it goes. */
export function OrderBuyer({ buyer }: { readonly buyer: Buyer }) {
  const t = useTexts(ordersTexts);
  const { alias, name, email, phone, address, keptUntil } = buyer;
  const { line1, line2, postalCode, city, country } = address;
  const place = [postalCode, city].filter((part) => part !== null).join(' ');
  const lines = [address.name, line1, line2, place, country].filter((line) => line !== null && line !== '');
  return (
    <section aria-labelledby="buyer">
      <h3 id="buyer">{t.buyer}</h3>
      <Facts
        facts={[
          { label: t.buyerName, value: name },
          { label: t.alias, value: alias },
          { label: t.email, value: email && <a href={`mailto:${email}`}>{email}</a> },
          { label: t.phone, value: phone },
          {
            label: t.address,
            value: lines.map((line, index) => (
              <span key={line}>
                {index > 0 && <br />}
                {line}
              </span>
            )),
          },
          { label: t.keptUntil, value: <Time at={keptUntil} /> },
        ]}
      />
      <p class="muted small">{t.buyerNote}</p>
    </section>
  );
}
