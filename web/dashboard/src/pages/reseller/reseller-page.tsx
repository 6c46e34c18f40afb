import type { MyDeal } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { reloadMe } from '../../api/me.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page, Section } from '../../ui/page.tsx';
import { Commission, WaitingCommission } from './commission.tsx';
import { ResellerSide } from './reseller-side.tsx';
import './reseller.css';
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
      <Loaded resource={deal}>{(known) => <Sides deal={known} onLeft={leave} onChanged={deal.reload} />}</Loaded>
    </Page>
  );
}

interface SidesProps {
  readonly deal: MyDeal;
  readonly onLeft: () => void;
  readonly onChanged: () => void;
}

function Sides({ deal, onLeft, onChanged }: SidesProps) {
  const t = useTexts(resellerTexts);
  const { kind, reseller, askedReseller, commission } = deal;
  if (kind === 'reseller_agreement') return <ResellerSide deal={deal} onChanged={onChanged} />;
  return (
    <>
      {askedReseller !== null && <Waiting name={askedReseller.displayName} onWithdrawn={onLeft} />}
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
          <Commission commission={commission} />
          <WaitingCommission deal={deal} waiting={commission.waiting} onConfirmed={onChanged} />
        </>
      )}
    </>
  );
}

interface MembershipProps {
  /** Name of the reseller. */
  readonly name: string;
  readonly since: string | null;
  readonly onLeft: () => void;
}

/** For a member: its reseller, what that means, and how to leave. */
export function Membership({ name, since, onLeft }: MembershipProps) {
  const t = useTexts(resellerTexts);
  const format = useFormat();
  return (
    <Section title={`${t.memberOf} ${name}`}>
      <Card>
        <Facts facts={[{ label: t.since, value: since && format.day(since) }]} />
        <div class="stack">
          <h3>{t.whatItMeans}</h3>
          <ul class="reseller-list">
            {t.means.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
        <div>
          <ConfirmButton
            kind="danger"
            title={t.leaveTitle(name)}
            body={<p>{t.leaveText}</p>}
            toast={t.left}
            onConfirm={async () => api.leaveReseller()}
            onDone={onLeft}
          >
            {t.leave}
          </ConfirmButton>
        </div>
      </Card>
    </Section>
  );
}

/** For an account that has asked a reseller which approves its members. */
function Waiting({ name, onWithdrawn }: { readonly name: string; readonly onWithdrawn: () => void }) {
  const t = useTexts(resellerTexts);
  return (
    <Section title={t.waitsFor(name)}>
      <Card>
        <p>{t.waitsForText}</p>
        <div>
          <ConfirmButton
            title={t.withdrawTitle(name)}
            body={<p>{t.withdrawText}</p>}
            toast={t.withdrawn}
            onConfirm={async () => api.leaveReseller()}
            onDone={onWithdrawn}
          >
            {t.withdraw}
          </ConfirmButton>
        </div>
      </Card>
    </Section>
  );
}

/** For an account that is neither: what resellers are, and how to join or become one. */
export function NoReseller() {
  const t = useTexts(resellerTexts);
  return (
    <Section title={t.none} lead={t.noneText}>
      <Card>
        <div>
          <h3>{t.becomeMember}</h3>
          <p>{t.becomeMemberText}</p>
        </div>
        <div>
          <h3>{t.becomeReseller}</h3>
          <p>{t.becomeResellerText}</p>
        </div>
      </Card>
    </Section>
  );
}
