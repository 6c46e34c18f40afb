import { useState } from 'preact/hooks';
import type { JoinRequest } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Time } from '../../ui/facts.tsx';
import { ErrorNote } from '../../ui/notice.tsx';
import { Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { ReferenceDialog } from './reference-dialog.tsx';
import { requestTexts } from './request-texts.ts';

/** Accounts that ask to become members, when there are any. */
export function JoinRequests({ onApproved }: { readonly onApproved: () => void }) {
  const t = useTexts(requestTexts);
  const requests = useResource(async (signal) => (await api.listJoinRequests({ signal })).data.requests, {
    pollMs: restingMs,
  });
  const [approved, setApproved] = useState<JoinRequest>();
  const rows = requests.data ?? [];
  if (rows.length === 0) return <ErrorNote error={requests.error} onRetry={requests.reload} />;
  return (
    <Section title={t.title} lead={t.lead}>
      <RequestTable requests={rows} onApprove={setApproved} onDeclined={requests.reload} />
      {approved !== undefined && (
        <ReferenceDialog
          memberUserId={approved.memberUserId}
          externalId={approved.externalId ?? approved.memberUserId}
          words={{
            title: t.approveOf(approved.memberName),
            text: t.approveText,
            field: t.reference,
            button: t.approve,
            done: t.approved,
          }}
          onClose={() => {
            setApproved(undefined);
          }}
          onDone={() => {
            requests.reload();
            onApproved();
          }}
        />
      )}
    </Section>
  );
}

interface RequestTableProps {
  readonly requests: readonly JoinRequest[];
  readonly onApprove: (request: JoinRequest) => void;
  readonly onDeclined: () => void;
}

function RequestTable({ requests, onApprove, onDeclined }: RequestTableProps) {
  const t = useTexts(requestTexts);
  const columns: readonly Column<JoinRequest>[] = [
    { id: 'name', header: t.name, isName: true, cell: ({ memberName }) => memberName },
    { id: 'email', header: t.email, cell: ({ email }) => email },
    { id: 'sharing', header: t.sharing, cell: ({ sharesOrders }) => (sharesOrders ? t.yes : t.no) },
    { id: 'asked', header: t.asked, cell: ({ requestedAt }) => <Time at={requestedAt} /> },
    {
      id: 'actions',
      header: t.actions,
      isUnlabelled: true,
      cell: (request) => (
        <span class="row">
          <Button
            label={t.approveOf(request.memberName)}
            onClick={() => {
              onApprove(request);
            }}
          >
            {t.approve}
          </Button>
          <ConfirmButton
            label={t.declineOf(request.memberName)}
            title={t.declineOf(request.memberName)}
            body={<p>{t.declineText}</p>}
            toast={t.declined}
            onConfirm={async () => api.removeMember({ path: { memberUserId: request.memberUserId } })}
            onDone={onDeclined}
          >
            {t.decline}
          </ConfirmButton>
        </span>
      ),
    },
  ];
  return <Table caption={t.title} columns={columns} rows={requests} idOf={({ memberUserId }) => memberUserId} />;
}
