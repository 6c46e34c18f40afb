import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { subscriptionTexts } from './texts.ts';

const features = ['sync', 'publish', 'webhooks', 'analytics', 'support', 'price'] as const;
type Feature = (typeof features)[number];

const proPriceSek = 199;

/** The two plans beside each other. */
export function PlanTable({ isPro }: { readonly isPro: boolean }) {
  const t = useTexts(subscriptionTexts);
  const columns: readonly Column<Feature>[] = [
    { id: 'feature', header: t.feature, isName: true, cell: (feature) => t.features[feature] },
    {
      id: 'free',
      header: isPro ? t.free : `${t.free} (${t.yours})`,
      cell: (feature) => <Cell feature={feature} isOfPro={false} />,
    },
    {
      id: 'pro',
      header: isPro ? `${t.pro} (${t.yours})` : t.pro,
      cell: (feature) => <Cell feature={feature} isOfPro />,
    },
  ];
  return <Table caption={t.compare} columns={columns} rows={features} idOf={(feature) => feature} />;
}

function Cell({ feature, isOfPro }: { readonly feature: Feature; readonly isOfPro: boolean }) {
  const t = useTexts(subscriptionTexts);
  const format = useFormat();
  if (feature === 'price') return <>{format.money(isOfPro ? proPriceSek : 0)}</>;
  if (feature === 'support' && !isOfPro) return <span class="muted">{t.notIncluded}</span>;
  return (
    <span>
      <Icon name="check" /> {feature === 'analytics' ? t.inDashboard : t.included}
    </span>
  );
}
