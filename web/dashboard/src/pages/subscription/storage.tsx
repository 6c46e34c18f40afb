import type { PartnerUsage } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { subscriptionTexts } from './texts.ts';

/** What the account stores, and what it may. */
export function Storage() {
  const t = useTexts(subscriptionTexts);
  const usage = useResource(async (signal) => (await api.getUsage({ signal })).data, {
    pollMs: () => restingMs,
  });
  return (
    <Section title={t.storage} lead={t.storageLead}>
      <Loaded resource={usage}>{(known) => <StorageCard usage={known} />}</Loaded>
    </Section>
  );
}

function StorageCard({ usage: { items, images, imageBytes } }: { readonly usage: PartnerUsage }) {
  const t = useTexts(subscriptionTexts);
  const format = useFormat();
  return (
    <Card>
      <Facts
        facts={[
          { label: t.storedItems, value: t.usedOf(format.number(items.used), format.number(items.limit)) },
          { label: t.storedImages, value: t.usedOf(format.number(images.used), format.number(images.limit)) },
          { label: t.storedBytes, value: t.usedOf(format.bytes(imageBytes.used), format.bytes(imageBytes.limit)) },
        ]}
      />
    </Card>
  );
}
