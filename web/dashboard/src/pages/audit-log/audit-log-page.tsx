import { api } from '../../api/api.ts';
import { restingMs } from '../../api/use-polling.ts';
import { usePages } from '../../api/use-pages.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useQuery } from '../../routing/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ListOf } from '../../ui/list-of.tsx';
import { Page } from '../../ui/page.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { auditQuery, hasAuditFilters, noAuditFilters } from './audit-query.ts';
import { AuditTable } from './audit-table.tsx';
import { findPage } from './find-page.ts';
import { PeopleContext } from './people.ts';
import { auditLogTexts } from './texts.ts';
import { usePeople } from './use-people.ts';

export function AuditLogPage() {
  const t = useTexts(auditLogTexts);
  const people = usePeople();
  const [address] = useQuery();
  const query = auditQuery(address);
  const isActing = query.view === 'acting';
  const entries = usePages(
    async (first, signal) =>
      findPage(async (cursor) => {
        const page = { ...query, ...(cursor !== undefined && { cursor }) };
        return (await api.listAuditLogEntries({ query: page, signal })).data;
      }, first),
    { idOf: ({ id }) => id, on: [query], pollMs: () => restingMs },
  );
  return (
    <Page title={t.title} lead={t.lead}>
      <AuditFilters />
      <PeopleContext.Provider value={people}>
        <ListOf
          pages={entries}
          empty={
            <NoEntries
              isFiltered={hasAuditFilters(query)}
              isActing={isActing}
              {...(entries.hasMore && { onSearchOn: entries.showMore })}
            />
          }
        >
          {(rows) => <AuditTable entries={rows} isActing={isActing} />}
        </ListOf>
      </PeopleContext.Provider>
    </Page>
  );
}

interface NoEntriesProps {
  readonly isFiltered: boolean;
  readonly isActing: boolean;
  /** There is more that was not searched. */
  readonly onSearchOn?: () => void;
}

function NoEntries({ isFiltered, isActing, onSearchOn }: NoEntriesProps) {
  const t = useTexts(auditLogTexts);
  const [, setQuery] = useQuery();
  if (isFiltered)
    return (
      <Empty
        title={t.noMatch}
        actions={
          <>
            {onSearchOn !== undefined && <Button onClick={onSearchOn}>{t.searchOn}</Button>}
            <Button
              onClick={() => {
                setQuery(noAuditFilters);
              }}
            >
              {t.clear}
            </Button>
          </>
        }
      >
        {onSearchOn !== undefined && <p>{t.noMatchYet}</p>}
      </Empty>
    );
  return (
    <Empty title={isActing ? t.noneActing : t.none}>
      <p>{isActing ? t.noneActingLead : t.noneLead}</p>
    </Empty>
  );
}
