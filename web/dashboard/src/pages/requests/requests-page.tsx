import { api } from '../../api/api.ts';
import { usePages } from '../../api/use-pages.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useResource } from '../../api/use-resource.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useQuery } from '../../routing/use-query.ts';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ListOf } from '../../ui/list-of.tsx';
import { Page } from '../../ui/page.tsx';
import { RequestFilters } from './request-filters.tsx';
import { noRequestFilters, requestQuery } from './request-query.ts';
import { RequestTable } from './request-table.tsx';
import { requestsTexts } from './texts.ts';

export function RequestsPage() {
  const t = useTexts(requestsTexts);
  const [address] = useQuery();
  const query = requestQuery(address);
  // The log is readable without their names.
  const keys = useResource(async (signal) => (await api.listApiKeys({ signal })).data.keys).data;
  const calls = usePages(
    async (cursor, signal) => {
      const page = { ...query, ...(cursor !== undefined && { cursor }) };
      const { data } = await api.listLoggedCalls({ query: page, signal });
      return { rows: data.calls, nextCursor: data.nextCursor };
    },
    { idOf: ({ id }) => id, on: [query], pollMs: () => restingMs },
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
