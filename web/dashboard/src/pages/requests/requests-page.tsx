import type { ApiKey, LoggedCall } from '../../../../../client/generated/types.gen.ts';
import { api } from '../../api/api.ts';
import { usePages } from '../../api/use-pages.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { PeriodFilter } from '../../period/period-filter.tsx';
import { useQuery } from '../../routing/use-query.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Time } from '../../ui/facts.tsx';
import { SelectField } from '../../ui/field.tsx';
import { AddressSearch } from '../../ui/form.tsx';
import { Badge } from '../../ui/icon.tsx';
import { ListOf } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { callStatuses, noRequestFilters, requestQuery } from './request-query.ts';
import './request-table.css';
import { requestsTexts } from './texts.ts';

export function RequestsPage() {
  const t = useTexts(requestsTexts);
  const [address] = useQuery();
  const query = requestQuery(address);
  // The log is readable without the keys' names.
  const keys = useResource(async (signal) => (await api.listApiKeys({ signal })).data.keys).data;
  const calls = usePages(
    async (cursor, signal) => {
      const page = { ...query, ...(cursor !== undefined && { cursor }) };
      const { data } = await api.listLoggedCalls({ query: page, signal });
      return { rows: data.calls, nextCursor: data.nextCursor };
    },
    { idOf: ({ id }) => id, on: [query], pollMs: restingMs },
  );
  return (
    <Page title={t.title} lead={t.lead}>
      <RequestFilters keys={keys} />
      <ListOf pages={calls} empty={<NoCalls isFiltered={Object.keys(query).length > 0} />}>
        {(rows) => <RequestTable calls={rows} keys={keys} />}
      </ListOf>
    </Page>
  );
}

function NoCalls({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = useTexts(requestsTexts);
  const [, setQuery] = useQuery();
  const clear = (): void => {
    setQuery(noRequestFilters);
  };
  if (isFiltered) return <Empty title={t.noMatch} actions={<Button onClick={clear}>{t.clear}</Button>} />;
  return (
    <Empty title={t.none} actions={<LinkButton href="/dashboard/keys">{t.toKeys}</LinkButton>}>
      <p>{t.noneLead}</p>
    </Empty>
  );
}

/** `keys` is undefined while they are being loaded. */
export function RequestFilters({ keys = [] }: { readonly keys: readonly ApiKey[] | undefined }) {
  const t = useTexts(requestsTexts);
  const [{ status = '', keyId = '' }, setQuery] = useQuery();
  const choices = [{ value: '', label: t.any }, ...keys.map(({ id, name }) => ({ value: id, label: name }))];
  const isKnown = choices.some(({ value }) => value === keyId);
  return (
    <search class="filters" aria-label={t.filters}>
      <SelectField
        label={t.status}
        value={status}
        choices={[{ value: '', label: t.any }, ...callStatuses.map((one) => ({ value: one, label: t.statuses[one] }))]}
        onChange={(chosen) => {
          setQuery({ status: chosen });
        }}
      />
      <AddressSearch name="path" label={t.path} />
      <SelectField
        label={t.key}
        value={keyId}
        choices={isKnown ? choices : [...choices, { value: keyId, label: t.revokedKey }]}
        onChange={(chosen) => {
          setQuery({ keyId: chosen });
        }}
      />
      <PeriodFilter />
    </search>
  );
}

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

/** The refusal and its fields are shown below the status. */
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
