import { useState } from 'preact/hooks';
import type { MyDeal, PublicProfile } from '../../../../../client/generated/types.gen.ts';
import { ItembridgeError } from '../../../../../client/itembridge-error.ts';
import { api, nullWhenMissing } from '../../api/api.ts';
import { reloadMe, useMe } from '../../api/me.ts';
import { useAction } from '../../api/use-action.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Button, ExternalLink } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { problemOf } from '../../ui/describe-problem.ts';
import { Facts } from '../../ui/facts.tsx';
import { CheckField, TextArea, TextField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { ErrorNote, Notice } from '../../ui/notice.tsx';
import { Card, Section } from '../../ui/page.tsx';
import { Commission, WaitingCommission } from './commission.tsx';
import { invitationTexts } from './invitation-texts.ts';
import { Invitations } from './invitations.tsx';
import { JoinRequests } from './join-requests.tsx';
import { LogoField, logoOf, type LogoChoice } from './logo-field.tsx';
import { Members } from './members.tsx';
import { resellerTexts } from './texts.ts';

/** For an account with an agreement. */
export function ResellerSide({ deal, onChanged }: { readonly deal: MyDeal; readonly onChanged: () => void }) {
  const t = useTexts(resellerTexts);
  const invite = useTexts(invitationTexts);
  // One member alone: the count of all comes with it.
  const members = useResource(async (signal) => (await api.findMembers({ query: { limit: 1 }, signal })).data.total, {
    pollMs: restingMs,
  });
  const profile = useResource(async (signal) => (await nullWhenMissing(api.getMyProfile({ signal })))?.data ?? null);
  // Without members the public page comes first: it brings them.
  const list = (
    <>
      <Section title={t.members} lead={t.membersLead}>
        <Members />
      </Section>
      {deal.commission !== null && <Commission commission={deal.commission} />}
      {deal.commission !== null && (
        <WaitingCommission deal={deal} waiting={deal.commission.waiting} onConfirmed={onChanged} />
      )}
    </>
  );
  return (
    <Loaded resource={members}>
      {(count) => (
        <>
          <Agreement deal={deal} memberCount={count} />
          <JoinRequests onApproved={members.reload} />
          {count > 0 && list}
          <Section title={t.page} lead={t.pageLead}>
            <Loaded resource={profile}>{(known) => <ProfileForm profile={known} onSaved={profile.reload} />}</Loaded>
          </Section>
          <Section title={invite.title} lead={invite.lead}>
            <Invitations />
          </Section>
          {count === 0 && list}
        </>
      )}
    </Loaded>
  );
}

function Agreement({ deal, memberCount }: { readonly deal: MyDeal; readonly memberCount: number }) {
  const t = useTexts(resellerTexts);
  const format = useFormat();
  const { commissionBps, directSalesMax, validFrom, commission } = deal;
  return (
    <Section title={t.agreement}>
      <Card>
        <Facts
          facts={[
            {
              label: t.commissionNow,
              value: commissionBps !== null && `${format.percent(commissionBps / 10_000)} ${t.commissionHint}`,
            },
            {
              label: t.directSalesMax,
              value: directSalesMax !== null && `${format.money(directSalesMax)} ${t.perMemberAndMonth}`,
            },
            { label: t.since, value: validFrom && format.day(validFrom) },
            { label: t.memberCount, value: format.number(memberCount) },
            { label: t.owedSum, value: commission && format.money(commission.owed) },
          ]}
        />
      </Card>
    </Section>
  );
}

interface ProfileFormProps {
  /** null: not created yet. */
  readonly profile: PublicProfile | null;
  readonly onSaved: () => void;
}

/** The public page: its address and its texts. */
function ProfileForm({ profile, onSaved }: ProfileFormProps) {
  const t = useTexts(resellerTexts);
  return (
    <Card>
      {profile === null ? (
        <Notice tone="info" title={t.pageMissing}>
          <p>{t.pageMissingText}</p>
        </Notice>
      ) : (
        <div class="form">
          <CopyField label={t.joinLink} hint={t.joinLinkHint} value={linkOf(profile.slug)} />
          <p>
            <ExternalLink href={linkOf(profile.slug)}>{t.openPage}</ExternalLink>
          </p>
        </div>
      )}
      <Fields profile={profile} onSaved={onSaved} />
    </Card>
  );
}

const linkOf = (slug: string): string => `${location.origin}/p/${slug}`;

const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

const unnamed = { slug: '', displayName: undefined, description: '', needsApproval: false, logoUrl: null };

function Fields({ profile, onSaved }: ProfileFormProps) {
  const t = useTexts(resellerTexts);
  const me = useMe();
  const known = profile ?? unnamed;
  const [slug, setSlug] = useState(known.slug);
  const [givenName, setName] = useState(known.displayName);
  const [description, setDescription] = useState(known.description);
  const [needsApproval, setNeedsApproval] = useState(known.needsApproval);
  const [logo, setLogo] = useState<LogoChoice>();
  const [isSlugBad, setSlugBad] = useState(false);
  const displayName = givenName ?? me?.name ?? '';
  const body = { slug, displayName, description, needsApproval, ...logoOf(logo) };
  const action = useAction(async () => api.updateMyProfile({ body }), {
    toast: t.saved,
    onDone: () => {
      setLogo(undefined);
      onSaved();
      reloadMe();
    },
  });
  const problem = (field: string): string | undefined => problemOf(action.error, field);
  const isTaken = action.error instanceof ItembridgeError && action.error.status === 409;
  const slugProblem = isSlugBad ? t.slugBad : isTaken ? t.slugTaken : problem('slug');
  const submit = (): void => {
    setSlugBad(!slugForm.test(slug));
    if (slugForm.test(slug)) action.run();
  };
  return (
    <Form onSubmit={submit}>
      <TextField label={t.slug} hint={t.slugHint} value={slug} onInput={setSlug} lengthMax={64} problem={slugProblem} />
      <TextField
        label={t.displayName}
        hint={t.displayNameHint}
        value={displayName}
        onInput={setName}
        lengthMax={255}
        problem={problem('displayName')}
      />
      <TextArea
        label={t.description}
        hint={t.descriptionHint}
        value={description}
        onInput={setDescription}
        lengthMax={2000}
        isOptional
        problem={problem('description')}
      />
      <LogoField stored={known.logoUrl} choice={logo} onChoice={setLogo} problem={problem('logo')} />
      <ApprovalField isChecked={needsApproval} onChange={setNeedsApproval} />
      <ErrorNote error={isTaken ? undefined : action.error} />
      <div>
        <Button kind="primary" isSubmit isPending={action.isPending}>
          {t.save}
        </Button>
      </div>
    </Form>
  );
}

interface ApprovalFieldProps {
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

function ApprovalField(field: ApprovalFieldProps) {
  const t = useTexts(resellerTexts);
  return <CheckField label={t.needsApproval} hint={t.needsApprovalHint} {...field} />;
}
