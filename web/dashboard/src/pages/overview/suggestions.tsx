import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { overviewTexts } from './texts.ts';
import { useItemCount } from './use-item-count.ts';

interface SuggestionsProps {
  readonly draftCount: number;
  /** Of orders that wait for payment, in SEK. */
  readonly unpaidSek: number;
  /** Items are for sale without an auction. */
  readonly hasUnlisted: boolean;
}

/** What somebody may want to do next, where nothing is wrong. */
export function Suggestions({ draftCount, unpaidSek, hasUnlisted }: SuggestionsProps) {
  return (
    <>
      {draftCount > 0 && <Drafts count={draftCount} />}
      {unpaidSek > 0 && <Unpaid sek={unpaidSek} />}
      {hasUnlisted && <Unlisted />}
    </>
  );
}

function Drafts({ count }: { readonly count: number }) {
  const t = useTexts(overviewTexts);
  const itemCount = useItemCount();
  return (
    <Notice
      tone="info"
      title={t.drafts(itemCount(count))}
      actions={<LinkButton href="/dashboard/items?serviceStatus=draft">{t.showDrafts}</LinkButton>}
    >
      <p>{t.draftsText}</p>
    </Notice>
  );
}

function Unpaid({ sek }: { readonly sek: number }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  return (
    <Notice
      tone="info"
      title={t.unpaid(format.money(sek))}
      actions={<LinkButton href="/dashboard/orders?status=pending">{t.toOrders}</LinkButton>}
    >
      <p>{t.unpaidText}</p>
    </Notice>
  );
}

function Unlisted() {
  const t = useTexts(overviewTexts);
  const path = '/dashboard/items?serviceStatus=active&marketplaceStatus=pending_sync';
  return (
    <Notice tone="info" title={t.unlisted} actions={<LinkButton href={path}>{t.showUnlisted}</LinkButton>}>
      <p>{t.unlistedText}</p>
    </Notice>
  );
}
