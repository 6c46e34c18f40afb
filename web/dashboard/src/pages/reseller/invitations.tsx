import { useState } from 'preact/hooks';
import type { Invitation, InvitationWish, Invited } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Badge } from '../../ui/icon.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ErrorNote } from '../../ui/notice.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Card } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/facts.tsx';
import { invitationTexts } from './invitation-texts.ts';

/** Invites members by mail, and lists the invitations. */
export function Invitations() {
  const t = useTexts(invitationTexts);
  const invitations = useResource(async (signal) => (await api.listInvitations({ signal })).data.invitations);
  return (
    <>
      <Card>
        <InvitationForm onSent={invitations.reload} />
      </Card>
      <Loaded resource={invitations}>
        {(rows) =>
          rows.length > 0 && (
            <details>
              <summary>{t.sentBefore(rows.length)}</summary>
              <InvitationTable invitations={rows} onWithdrawn={invitations.reload} />
            </details>
          )
        }
      </Loaded>
    </>
  );
}

function InvitationForm({ onSent }: { readonly onSent: () => void }) {
  const t = useTexts(invitationTexts);
  const language = useLanguage();
  const [draft, setDraft] = useState('');
  const invite = useAction(
    async () => (await api.inviteMembers({ body: { invitations: readLines(draft), language } })).data,
    {
      toast: ({ sent, skipped }: Invited) => t.sent(sent, skipped.length),
      onDone: () => {
        setDraft('');
        onSent();
      },
    },
  );
  return (
    <Form onSubmit={invite.run}>
      <TextArea label={t.whom} hint={t.whomHint} value={draft} onInput={setDraft} />
      <ErrorNote error={invite.error} />
      <div class="row">
        <Button kind="primary" isSubmit isPending={invite.isPending}>
          {t.send}
        </Button>
      </div>
    </Form>
  );
}

/**
 * One line for each: an address, and after `;`, a comma or a tab the reference, as pasted from spreadsheets and address
 * books.
 */
const readLines = (text: string): InvitationWish['invitations'] =>
  text
    .split('\n')
    .map((line) => line.split(/[;,\t]/, 2).map((part) => part.trim()))
    .flatMap(([email = '', externalId = '']) =>
      email === '' ? [] : [{ email, ...(externalId !== '' && { externalId }) }],
    );

interface InvitationTableProps {
  readonly invitations: readonly Invitation[];
  readonly onWithdrawn: () => void;
}

function InvitationTable({ invitations, onWithdrawn }: InvitationTableProps) {
  const t = useTexts(invitationTexts);
  const columns: readonly Column<Invitation>[] = [
    { id: 'email', header: t.email, isName: true, cell: ({ email }) => email },
    { id: 'reference', header: t.reference, cell: ({ externalId }) => externalId ?? t.noReference },
    { id: 'invited', header: t.invited, cell: ({ invitedAt }) => <Time at={invitedAt} /> },
    {
      id: 'state',
      header: t.state,
      cell: (invitation) => <State invitation={invitation} />,
    },
    {
      id: 'actions',
      header: t.actions,
      isUnlabelled: true,
      cell: ({ id, email, state }) =>
        state === 'open' && (
          <ConfirmButton
            label={t.withdrawOf(email)}
            title={t.withdrawOf(email)}
            body={<p>{t.withdrawText}</p>}
            toast={t.withdrawn}
            onConfirm={() => api.withdrawInvitation({ path: { invitationId: id } })}
            onDone={onWithdrawn}
          >
            {t.withdraw}
          </ConfirmButton>
        ),
    },
  ];
  return <Table caption={t.caption} columns={columns} rows={invitations} idOf={({ id }) => id} />;
}

/** A link can be passed on, so another address than the invited one is shown. */
function State({ invitation: { state, email, joinedEmail } }: { readonly invitation: Invitation }) {
  const t = useTexts(invitationTexts);
  return (
    <span class="reseller-member">
      <Badge tone={state === 'joined' ? 'ok' : 'quiet'}>{t.states[state]}</Badge>
      {joinedEmail !== null && joinedEmail !== email && <span class="small">{t.joinedAs(joinedEmail)}</span>}
    </span>
  );
}
