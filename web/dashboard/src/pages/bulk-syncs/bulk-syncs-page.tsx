import type { BulkSync } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useMe } from '../../api/me.ts';
import { restingMs, watchedMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { MemberChoice, memberQuery, useMember } from '../../shell/member-choice.tsx';
import { LinkButton } from '../../ui/button.tsx';
import { Time } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { useSorting } from '../../ui/use-sorting.ts';
import { isOver } from './bulk-progress.ts';
import { BulkBar, BulkStateBadge } from './bulk-state.tsx';
import { bulkSyncsTexts } from './texts.ts';

export function BulkSyncsPage() {
  const t = useTexts(bulkSyncsTexts);
  const me = useMe();
  const member = useMember();
  const bulks = useResource(
    async (signal) => (await api.listPartnerBulkSyncs({ query: memberQuery(member), signal })).data.bulkSyncs,
    { on: [member], pollMs: (rows) => (rows.every(isOver) ? restingMs : watchedMs) },
  );
  return (
    <Page title={t.title} lead={t.lead} actions={<SendFileLink member={member} />}>
      {me?.reseller && (
        <div class="filters">
          <MemberChoice />
        </div>
      )}
      <Loaded resource={bulks}>
        {(rows) => (rows.length === 0 ? <NoBulkSyncs isOfMember={member !== undefined} /> : <BulkTable rows={rows} />)}
      </Loaded>
    </Page>
  );
}

function BulkTable({ rows }: { readonly rows: readonly BulkSync[] }) {
  const sorting = useSorting();
  const t = useTexts(bulkSyncsTexts);
  const format = useFormat();
  const columns: readonly Column<BulkSync>[] = [
    {
      id: 'started',
      sort: ({ createdAt }) => createdAt,
      header: t.started,
      isName: true,
      cell: ({ id, createdAt }) => (
        <a href={`/dashboard/bulk-syncs/${id}`} aria-label={t.open(format.time(createdAt))}>
          <Time at={createdAt} />
        </a>
      ),
    },
    { id: 'state', header: t.state, cell: (bulk) => <BulkStateBadge bulk={bulk} /> },
    { id: 'progress', header: t.progress, cell: (bulk) => <BulkBar bulk={bulk} /> },
    { id: 'mode', header: t.mode, cell: ({ mode }) => t.modes[mode] },
    {
      id: 'changed',
      sort: ({ created, updated }) => created + updated,
      header: t.changed,
      isNumber: true,
      cell: ({ created, updated }) => format.number(created + updated),
    },
    {
      id: 'failed',
      header: t.failed,
      isNumber: true,
      sort: ({ failed }) => failed,
      cell: ({ failed }) => format.number(failed),
    },
    {
      id: 'removed',
      header: t.removed,
      isNumber: true,
      sort: ({ removed }) => removed,
      cell: ({ removed }) => format.number(removed),
    },
  ];
  return <Table caption={t.title} columns={columns} rows={rows} idOf={({ id }) => id} sorting={sorting} />;
}

/** How to send the first one. */
export function NoBulkSyncs({ isOfMember }: { readonly isOfMember: boolean }) {
  const t = useTexts(bulkSyncsTexts);
  const account = isOfMember ? ` --account ${t.reference}` : '';
  const header = isOfMember ? `  -H "x-partner-account: ${t.reference}" \\\n` : '';
  return (
    <Empty title={isOfMember ? t.noneMember : t.none}>
      <p>{t.noneText}</p>
      <pre tabIndex={0}>{`export ITEMBRIDGE_URL=${location.origin}
export ITEMBRIDGE_API_KEY=…
npx itembridge sync items.ndjson${account}`}</pre>
      <p>{t.noneCurl}</p>
      <pre tabIndex={0}>{`curl -X POST ${location.origin}/integration/v1/bulk-syncs \\
  -H "x-api-key: $ITEMBRIDGE_API_KEY" \\
${header}  -H "content-type: application/x-ndjson" \\
  --data-binary @items.ndjson`}</pre>
      <p class="muted">{t.noneHint}</p>
    </Empty>
  );
}

/** Leads to the page for sending a file, for the shown member. */
export function SendFileLink({ member }: { readonly member: string | undefined }) {
  const t = useTexts(bulkSyncsTexts);
  const query = member === undefined ? '' : `?${new URLSearchParams({ member }).toString()}`;
  return (
    <LinkButton kind="primary" href={`/dashboard/bulk-syncs/new${query}`}>
      {t.sendFile}
    </LinkButton>
  );
}
