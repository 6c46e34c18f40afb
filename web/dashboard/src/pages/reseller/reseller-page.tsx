import type { MyDeal } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { reloadMe } from '../../api/me.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Commission } from './commission.tsx';
import { Membership } from './membership.tsx';
import { NoReseller } from './no-reseller.tsx';
import { ResellerSide } from './reseller-side.tsx';
import { resellerTexts } from './texts.ts';

export function ResellerPage() {
  const t = useTexts(resellerTexts);
  const deal = useResource(async (signal) => (await api.getMyDeal({ signal })).data);
  const leave = (): void => {
    deal.reload();
    reloadMe();
  };
  const lead =
    deal.data?.kind === 'reseller_agreement' ? t.leadReseller : deal.data?.reseller ? t.leadMember : undefined;
  return (
    <Page title={t.title} {...(lead !== undefined && { lead })}>
      <Loaded resource={deal}>{(known) => <Sides deal={known} onLeft={leave} />}</Loaded>
    </Page>
  );
}

function Sides({ deal, onLeft }: { readonly deal: MyDeal; readonly onLeft: () => void }) {
  const t = useTexts(resellerTexts);
  const { kind, reseller, commission } = deal;
  if (kind === 'reseller_agreement') return <ResellerSide deal={deal} />;
  return (
    <>
      {reseller === null ? (
        <NoReseller />
      ) : (
        <Membership name={reseller.displayName} since={deal.validFrom} onLeft={onLeft} />
      )}
      {commission !== null && (
        <>
          <Notice tone="wait" title={t.ended}>
            <p>{t.endedText}</p>
          </Notice>
          <Commission commission={commission} members={[]} />
        </>
      )}
    </>
  );
}
