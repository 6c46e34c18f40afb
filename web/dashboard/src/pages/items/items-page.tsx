import { api } from '../../api/api.ts';
import { useCategories, useDomainLabel } from '../../api/categories.ts';
import { usePages } from '../../api/use-pages.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useQuery } from '../../routing/use-query.ts';
import { AllMembersChoice, useAllMembers } from '../../shell/all-members.tsx';
import { MemberChoice, memberQuery, useMember } from '../../shell/member-choice.tsx';
import { ExportButton } from '../../ui/export-button.tsx';
import { SelectField, type Choice } from '../../ui/field.tsx';
import { AddressSearch, SearchField } from '../../ui/form.tsx';
import { ListOf } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SavedFilters } from '../../ui/saved-filters.tsx';
import { useSelection } from '../../ui/use-selection.ts';
import { knownSort, useSorting } from '../../ui/use-sorting.ts';
import { problemTexts } from '../../words/problems.ts';
import { bulkTexts } from './bulk-texts.ts';
import {
  domainFields,
  itemSorts,
  marketplaceStatuses,
  problemFilters,
  readItemFilters,
  serviceStatuses,
  type ItemFilters,
} from './item-states.ts';
import { ItemsSelection } from './items-selection.tsx';
import { ItemsTable, NoItems, type ItemRow } from './items-table.tsx';
import { statusTexts } from './status-badges.tsx';
import { itemsTexts } from './texts.ts';

export function ItemsPage() {
  const t = useTexts(itemsTexts);
  const member = useMember();
  const [query] = useQuery();
  const filters = readItemFilters(query);
  const sorting = useSorting('-created');
  const sort = knownSort(sorting, itemSorts);
  const order = sort === undefined ? {} : { sort };
  const isAll = useAllMembers();
  const { externalId = '' } = query;
  const items = usePages<ItemRow>(
    async (cursor, signal) => {
      if (isAll) return pageOfAllMembers({ filters, externalId, cursor, signal });
      const page = { ...filters, ...order, ...memberQuery(member), ...(cursor !== undefined && { cursor }) };
      const { data } = await api.listPartnerItems({ query: page, signal });
      return { rows: data.items, nextCursor: data.nextCursor };
    },
    {
      idOf: ({ serviceItemId }) => serviceItemId,
      on: [filters, sort, member, isAll, externalId],
      pollMs: watchedMs,
    },
  );
  const selection = useSelection((items.rows ?? []).map(({ serviceItemId }) => serviceItemId));
  const isFiltered = Object.keys(filters).length > 0 || externalId !== '';
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        !isAll && (
          <ExportButton
            name="items"
            read={async (language) =>
              api.exportItems({ query: { ...filters, ...order, ...memberQuery(member), language }, parseAs: 'stream' })
            }
          />
        )
      }
    >
      <ItemsFilters />
      <SavedFilters />
      <ListOf pages={items} empty={<NoItems isFiltered={isFiltered} />}>
        {(rows) => <ItemsTable rows={rows} isOfAllMembers={isAll} sorting={sorting} selection={selection} />}
      </ListOf>
      <ItemsSelection rows={items.rows ?? []} selection={selection} onDone={items.reload} />
    </Page>
  );
}

interface AllMembersPage {
  readonly filters: ItemFilters;
  readonly externalId: string;
  readonly cursor: string | undefined;
  readonly signal: AbortSignal;
}

/** The filters that a list of all members supports. */
async function pageOfAllMembers({ filters, externalId, cursor, signal }: AllMembersPage) {
  const { serviceStatus, marketplaceStatus, problem } = filters;
  const query = {
    ...(serviceStatus !== undefined && { serviceStatus }),
    ...(marketplaceStatus !== undefined && { marketplaceStatus }),
    ...(problem !== undefined && { problem }),
    ...(externalId !== '' && { externalId }),
    ...(cursor !== undefined && { cursor }),
  };
  const { data } = await api.listMembersItems({ query, signal });
  return { rows: data.items, nextCursor: data.nextCursor };
}

/** The filters of the list; they are part of the address. */
export function ItemsFilters() {
  const t = useTexts(itemsTexts);
  const states = useTexts(statusTexts);
  const [query] = useQuery();
  const isAll = useAllMembers();
  const filters = readItemFilters(query);
  const problems = useTexts(problemTexts);
  const labels = {
    service: serviceStatuses.map((status) => ({ value: status, label: states.service[status] })),
    marketplace: marketplaceStatuses.map((status) => ({ value: status, label: states.marketplace[status] })),
    problem: problemFilters.map((value) => ({ value, label: value === 'any' ? t.anyProblem : problems[value] })),
  };
  return (
    <search class="filters" aria-label={t.filters}>
      <AllMembersChoice />
      {isAll ? <ExternalIdSearch /> : <OneAccountFilters q={filters.q ?? ''} />}
      <Filter name="serviceStatus" label={t.status} choices={labels.service} value={filters.serviceStatus} />
      <Filter
        name="marketplaceStatus"
        label={t.marketplace}
        choices={labels.marketplace}
        value={filters.marketplaceStatus}
      />
      <Filter name="problem" label={t.problem} choices={labels.problem} value={filters.problem} />
    </search>
  );
}

/** The word search works in a single account. */
function OneAccountFilters({ q }: { readonly q: string }) {
  const t = useTexts(itemsTexts);
  const [, setQuery] = useQuery();
  return (
    <>
      <MemberChoice />
      <SearchField
        label={t.search}
        placeholder={t.searchPlaceholder}
        value={q}
        onSearch={(words) => {
          setQuery({ q: words });
        }}
      />
      <DomainFilter />
      <DomainSearch />
    </>
  );
}

/** The whole external id, over all members. */
function ExternalIdSearch() {
  const t = useTexts(bulkTexts);
  return <AddressSearch name="externalId" label={t.externalId} />;
}

interface FilterProps {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly Choice<string>[];
  readonly value: string | undefined;
}

function Filter({ name, label, choices, value = '' }: FilterProps) {
  const t = useTexts(itemsTexts);
  const [, setQuery] = useQuery();
  return (
    <SelectField
      label={label}
      value={value}
      choices={[{ value: '', label: t.any }, ...choices]}
      onChange={(chosen) => {
        setQuery({ [name]: chosen });
      }}
    />
  );
}

/** A search field of one domain has no meaning in another. */
const noDomainFields = Object.fromEntries(domainFields.map((name) => [name, undefined]));

function DomainFilter() {
  const t = useTexts(itemsTexts);
  const [{ domain = '' }, setQuery] = useQuery();
  const labelOf = useDomainLabel();
  const choices = useCategories().map(({ slug }) => ({ value: slug, label: labelOf(slug) }));
  const isUnknown = domain !== '' && choices.every(({ value }) => value !== domain);
  return (
    <SelectField
      label={t.domain}
      value={domain}
      choices={[{ value: '', label: t.any }, ...(isUnknown ? [{ value: domain, label: domain }] : []), ...choices]}
      onChange={(chosen) => {
        setQuery({ ...noDomainFields, domain: chosen });
      }}
    />
  );
}

/** The search key of the chosen domain: a plate, a part's number, an ISBN. */
function DomainSearch() {
  const language = useLanguage();
  const [query, setQuery] = useQuery();
  const category = useCategories().find(({ slug }) => slug === query['domain']);
  return (
    <>
      {category?.searchFields.map(({ key, labelSv, labelEn, placeholder }) => (
        <SearchField
          key={key}
          label={language === 'sv' ? labelSv : labelEn}
          placeholder={placeholder}
          value={query[key] ?? ''}
          onSearch={(value) => {
            setQuery({ [key]: value });
          }}
        />
      ))}
    </>
  );
}
