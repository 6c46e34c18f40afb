import type { MyDeal } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { nullWhenMissing } from '../../api/null-when-missing.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { Commission } from './commission.tsx';
import { invitationTexts } from './invitation-texts.ts';
import { Invitations } from './invitations.tsx';
import { Members } from './members.tsx';
import { ProfileForm } from './profile-form.tsx';
import { resellerTexts } from './texts.ts';

/** For the holder of an agreement. */
export function ResellerSide({ deal }: { readonly deal: MyDeal }) {
  const t = useTexts(resellerTexts);
  const invite = useTexts(invitationTexts);
  // All of them, for the names beside the commission.
  const members = useResource(async (signal) => (await api.listMembers({ signal })).data.connections);
  const profile = useResource(async (signal) => (await nullWhenMissing(api.getMyProfile({ signal })))?.data ?? null);
  return (
    <>
      <Agreement deal={deal} memberCount={members.data?.length} />
      <Section title={t.page} lead={t.pageLead}>
        <Loaded resource={profile}>{(known) => <ProfileForm profile={known} onSaved={profile.reload} />}</Loaded>
      </Section>
      <Section title={invite.title} lead={invite.lead}>
        <Invitations />
      </Section>
      <Section title={t.members} lead={t.membersLead}>
        <Members />
      </Section>
      {deal.commission !== null && <Commission commission={deal.commission} members={members.data} />}
    </>
  );
}

function Agreement({ deal, memberCount }: { readonly deal: MyDeal; readonly memberCount: number | undefined }) {
  const t = useTexts(resellerTexts);
  const format = useFormat();
  const { commissionBps, validFrom, commission } = deal;
  return (
    <Section title={t.agreement}>
      <Card>
        <Facts
          facts={[
            {
              label: t.commissionNow,
              value: commissionBps !== null && `${format.percent(commissionBps / 10_000)} ${t.commissionHint}`,
            },
            { label: t.since, value: validFrom && format.day(validFrom) },
            { label: t.memberCount, value: memberCount === undefined ? null : format.number(memberCount) },
            { label: t.owedSum, value: commission && format.money(commission.owed) },
          ]}
        />
      </Card>
    </Section>
  );
}
