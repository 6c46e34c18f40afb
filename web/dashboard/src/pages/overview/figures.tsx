import type { PartnerAnalytics } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Section } from '../../ui/page.tsx';
import { overviewTexts } from './texts.ts';

type Inventory = PartnerAnalytics['inventory'];

/** How many items there are in each state; each leads to them. Hardly anybody ever has archived ones. */
export function Figures({ inventory }: { readonly inventory: Inventory }) {
  const t = useTexts(overviewTexts);
  return (
    <Section title={t.inventory}>
      <ul class="overview-figures">
        <Figure label={t.total} count={inventory.total} />
        <Figure label={t.active} count={inventory.active} hint={t.activeHint} serviceStatus="active" />
        <Figure label={t.draft} count={inventory.draft} hint={t.draftHint} serviceStatus="draft" />
        <Figure label={t.sold} count={inventory.sold} hint={t.soldHint} serviceStatus="sold" />
        {inventory.archived > 0 && (
          <Figure label={t.archived} count={inventory.archived} hint={t.archivedHint} serviceStatus="archived" />
        )}
      </ul>
    </Section>
  );
}

interface FigureProps {
  readonly label: string;
  readonly count: number;
  readonly hint?: string;
  readonly serviceStatus?: string;
}

function Figure({ label, count, hint, serviceStatus }: FigureProps) {
  const format = useFormat();
  const filter = serviceStatus === undefined ? '' : `?serviceStatus=${serviceStatus}`;
  return (
    <li>
      <a class="overview-figure" href={`/dashboard/items${filter}`}>
        <span class="overview-figure-label">{label}</span>
        <span class="overview-figure-count numbers">{format.number(count)}</span>
        {hint !== undefined && <span class="small muted">{hint}</span>}
      </a>
    </li>
  );
}
