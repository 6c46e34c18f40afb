import type { OpenSession } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import type { Resource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Badge } from '../../ui/icon.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { uiTexts } from '../../ui/texts.ts';
import { Ago, Time } from '../../ui/facts.tsx';
import { securityTexts } from './texts.ts';
import './sessions-section.css';

interface SessionsSectionProps {
  readonly sessions: Resource<readonly OpenSession[]>;
}

export function SessionsSection({ sessions }: SessionsSectionProps) {
  const t = useTexts(securityTexts);
  return (
    <Section title={t.sessions} lead={t.sessionsLead}>
      <Loaded resource={sessions}>
        {(list) => (
          <>
            <SessionsTable sessions={list} onEnded={sessions.reload} />
            <EndOthers isOffered={list.length > 1} onEnded={sessions.reload} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

interface SessionsTableProps {
  readonly sessions: readonly OpenSession[];
  readonly onEnded: () => void;
}

function SessionsTable({ sessions, onEnded }: SessionsTableProps) {
  const t = useTexts(securityTexts);
  const ui = useTexts(uiTexts);
  const columns: readonly Column<OpenSession>[] = [
    {
      id: 'program',
      header: t.program,
      isName: true,
      cell: ({ userAgent, isCurrent }) => (
        <>
          {userAgent ?? t.unknown} {isCurrent && <Badge tone="ok">{t.current}</Badge>}
        </>
      ),
    },
    {
      id: 'address',
      header: t.address,
      cell: ({ address }) => <span class="numbers session-address">{address ?? t.unknown}</span>,
    },
    { id: 'opened', header: t.opened, cell: ({ createdAt }) => <Time at={createdAt} /> },
    { id: 'used', header: t.lastUsed, cell: ({ lastUsedAt }) => <Ago at={lastUsedAt} /> },
    {
      id: 'actions',
      header: ui.actions,
      isUnlabelled: true,
      cell: (session) => !session.isCurrent && <EndOne session={session} onEnded={onEnded} />,
    },
  ];
  return <Table caption={t.sessions} columns={columns} rows={sessions} idOf={({ id }) => id} />;
}

function EndOne({ session, onEnded }: { readonly session: OpenSession; readonly onEnded: () => void }) {
  const t = useTexts(securityTexts);
  const { id, address } = session;
  return (
    <ConfirmButton
      kind="danger"
      label={t.endOf(address ?? t.unknown)}
      title={t.endTitle}
      body={t.endBody}
      toast={t.ended}
      onConfirm={async () => api.endSession({ path: { id } })}
      onDone={onEnded}
    >
      {t.end}
    </ConfirmButton>
  );
}

function EndOthers({ isOffered, onEnded }: { readonly isOffered: boolean; readonly onEnded: () => void }) {
  const t = useTexts(securityTexts);
  return (
    <div class="row">
      <ConfirmButton
        kind="danger"
        title={t.endOthersTitle}
        body={t.endBody}
        toast={t.othersEnded}
        isOffered={isOffered}
        onConfirm={async () => api.endOtherSessions()}
        onDone={onEnded}
      >
        {t.endOthers}
      </ConfirmButton>
    </div>
  );
}
