import { useMe } from '../../api/me.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { PeriodFilter } from '../../period/period-filter.tsx';
import { useQuery } from '../../routing/use-query.ts';
import { SelectField } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { auditActors, auditKinds } from './kinds.ts';
import { kindTexts } from './kind-texts.ts';
import { auditLogTexts } from './texts.ts';

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
      <SearchField
        label={t.item}
        value={query['externalId'] ?? ''}
        onSearch={(externalId) => {
          setQuery({ externalId: externalId.trim() });
        }}
      />
      <PeriodFilter />
    </search>
  );
}

/** There for resellers only; also when the address asks for it, so that nobody is stuck there. */
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
