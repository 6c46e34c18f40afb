import type { BulkSync, BulkSyncError } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { useAction } from '../../api/use-action.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/notice.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { tellFieldProblem } from '../../words/field-problems.ts';
import { tellLineError } from '../../words/refusals.ts';
import { isOver } from '../bulk-syncs/bulk-progress.ts';
import { readFirstErrors } from './read-errors.ts';
import { saveFile } from '../../ui/save-file.ts';
import { bulkSyncTexts } from './texts.ts';

const shownMax = 200;

/** The first refused lines and warnings; all of them as a file. */
export function BulkErrors({ bulk }: { readonly bulk: BulkSync }) {
  const t = useTexts(bulkSyncTexts);
  if (bulk.failed + bulk.warned === 0)
    return isOver(bulk) ? (
      <Section title={t.errors}>
        <p class="muted">{t.noErrors}</p>
      </Section>
    ) : null;
  return <SomeErrors bulk={bulk} />;
}

function SomeErrors({ bulk }: { readonly bulk: BulkSync }) {
  const t = useTexts(bulkSyncTexts);
  const format = useFormat();
  const { id, failed, warned } = bulk;
  const reported = failed + warned;
  const over = isOver(bulk);
  const errors = useResource<readonly BulkSyncError[]>(
    async (signal) => {
      const { response } = await api.listPartnerBulkSyncErrors({ path: { id }, parseAs: 'stream', signal });
      return readFirstErrors(response.body, shownMax);
    },
    { on: [over], ...(!over && { pollMs: watchedMs }) },
  );
  const download = useAction(
    async () => {
      const { response } = await api.listPartnerBulkSyncErrors({ path: { id }, parseAs: 'stream' });
      return response.blob();
    },
    {
      toast: t.downloaded,
      onDone: (file) => {
        saveFile(file, `errors-${id}.ndjson`);
      },
    },
  );
  return (
    <Section
      title={t.errors}
      lead={reported > shownMax ? t.errorsFirst(format.number(shownMax), format.number(reported)) : t.errorsLead}
      actions={
        <Button isPending={download.isPending} onClick={download.run}>
          {t.download}
        </Button>
      }
    >
      <ErrorNote error={download.error} />
      <Loaded resource={errors}>{(rows) => <ErrorTable rows={rows} />}</Loaded>
    </Section>
  );
}

function ErrorTable({ rows }: { readonly rows: readonly BulkSyncError[] }) {
  const t = useTexts(bulkSyncTexts);
  const format = useFormat();
  const hasAccounts = rows.some(({ account }) => account !== undefined);
  const columns: readonly Column<BulkSyncError>[] = [
    { id: 'line', header: t.line, isName: true, cell: ({ line }) => `${t.line} ${format.number(line)}` },
    { id: 'externalId', header: t.externalId, cell: ({ externalId }) => <span class="code">{externalId ?? '–'}</span> },
    ...(hasAccounts
      ? [{ id: 'account', header: t.account, cell: ({ account }: BulkSyncError) => account ?? '–' }]
      : []),
    { id: 'severity', header: t.severity, cell: ({ severity }) => t.severities[severity] },
    { id: 'error', header: t.error, cell: (error) => <What error={error} /> },
  ];
  return <Table caption={t.errors} columns={columns} rows={rows} idOf={({ line }) => String(line)} />;
}

/** The sentence of the code when no field has one. */
function What({ error: { code, details = [] } }: { readonly error: BulkSyncError }) {
  const language = useLanguage();
  if (details.length === 0) return <>{tellLineError(code, language)}</>;
  return (
    <ul class="small">
      {details.map((problem) => (
        <li key={`${problem.field} ${problem.message}`}>
          <code>{problem.field}</code> {tellFieldProblem(problem, language)}
        </li>
      ))}
    </ul>
  );
}
