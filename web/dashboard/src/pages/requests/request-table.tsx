import type { ApiKey, LoggedCall } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { requestsTexts } from './texts.ts';
import './request-table.css';

interface RequestTableProps {
  readonly calls: readonly LoggedCall[];
  readonly keys: readonly ApiKey[] | undefined;
}

export function RequestTable({ calls, keys = [] }: RequestTableProps) {
  const t = useTexts(requestsTexts);
  const format = useFormat();
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const columns: readonly Column<LoggedCall>[] = [
    { id: 'call', header: t.call, isName: true, cell: (call) => <Called call={call} /> },
    { id: 'answer', header: t.answer, cell: (call) => <Answer call={call} /> },
    { id: 'when', header: t.when, cell: ({ at }) => <Time at={at} /> },
    { id: 'key', header: t.key, cell: ({ keyId }) => names.get(keyId) ?? t.revokedKey },
    {
      id: 'duration',
      header: t.duration,
      isNumber: true,
      cell: ({ durationMs }) => t.ms(format.number(Math.round(durationMs))),
    },
  ];
  return <Table caption={t.title} columns={columns} rows={calls} idOf={({ id }) => id} />;
}

function Called({ call: { method, path, requestId } }: { readonly call: LoggedCall }) {
  const t = useTexts(requestsTexts);
  return (
    <span class="request-call">
      <code>
        {method} {path}
      </code>
      <span class="muted small">
        {t.requestId} <code>{requestId}</code>
      </span>
    </span>
  );
}

/** What was refused, and because of which fields, stands under the status. */
function Answer({ call: { status, code, fields } }: { readonly call: LoggedCall }) {
  const t = useTexts(requestsTexts);
  return (
    <span class="request-answer">
      <Badge tone={status === null || status >= 400 ? 'bad' : 'ok'}>{status ?? t.gone}</Badge>
      {code !== null && <code>{code}</code>}
      {fields.length > 0 && <span class="muted small">{fields.join(', ')}</span>}
    </span>
  );
}
