import { api } from '../../api/api.ts';
import { useMe } from '../../api/me.ts';
import { usePages } from '../../api/use-pages.ts';
import { restingMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { PeriodFilter } from '../../period/period-filter.tsx';
import { useQuery } from '../../routing/use-query.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { AddressSearch } from '../../ui/form.tsx';
import { ListOf } from '../../ui/loaded.tsx';
import { Empty } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { auditQuery, findPage, hasAuditFilters, noAuditFilters } from './audit-query.ts';
import { AuditTable } from './audit-table.tsx';
import { kindTexts } from './kind-texts.ts';
import { auditActors, auditKinds } from './kinds.ts';
import { PeopleContext, usePeople } from './people.ts';
import { auditLogTexts } from './texts.ts';

export function AuditLogPage() {
  const t = useTexts(auditLogTexts);
  const { people, learn } = usePeople();
  const [address] = useQuery();
  const query = auditQuery(address);
  const isActing = query.view === 'acting';
  const entries = usePages(
    async (first, signal) => {
      const found = await findPage(async (cursor) => {
        const page = { ...query, ...(cursor !== undefined && { cursor }) };
        return (await api.listAuditLogEntries({ query: page, signal })).data;
      }, first);
      await learn(found.rows, { isActing, signal });
      return found;
    },
    { idOf: ({ id }) => id, on: [query], pollMs: restingMs },
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
  /** Set when older entries were not searched yet. */
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

export function AuditFilters() {
  const t = useTexts(auditLogTexts);
  const words = useTexts(kindTexts);
  const [query, setQuery] = useQuery();
  return (
    <search class="filters" aria-label={t.filters}>
      <ViewChoice />
      <SelectField
        label={t.kind}
        value={query['kind'] ?? ''}
        choices={[{ value: '', label: t.any }, ...auditKinds.map((kind) => ({ value: kind, label: words[kind] }))]}
        onChange={(kind) => {
          setQuery({ kind });
        }}
      />
      {query['view'] !== 'acting' && (
        <SelectField
          label={t.who}
          value={query['actor'] ?? ''}
          choices={[
            { value: '', label: t.anyone },
            ...auditActors.map((one) => ({ value: one, label: t.actors[one] })),
          ]}
          onChange={(actor) => {
            setQuery({ actor });
          }}
        />
      )}
      <AddressSearch name="externalId" label={t.item} />
      <PeriodFilter />
    </search>
  );
}

/** For resellers. Also shown when the address asks for that view, so that the reader can leave it. */
function ViewChoice() {
  const t = useTexts(auditLogTexts);
  const me = useMe();
  const [{ view }, setQuery] = useQuery();
  if (me?.reseller == null && view !== 'acting') return null;
  return (
    <SelectField
      label={t.view}
      value={view === 'acting' ? 'acting' : 'own'}
      choices={[
        { value: 'own', label: t.own },
        { value: 'acting', label: t.acting },
      ]}
      onChange={(chosen) => {
        setQuery(chosen === 'acting' ? { view: chosen, actor: undefined } : { view: undefined });
      }}
    />
  );
}
