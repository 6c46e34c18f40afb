import type { ApiKey } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { PeriodFilter } from '../../period/period-filter.tsx';
import { useQuery } from '../../routing/use-query.ts';
import { SelectField } from '../../ui/field.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { callStatuses } from './request-query.ts';
import { requestsTexts } from './texts.ts';

/** `keys` is undefined while they are loaded. */
export function RequestFilters({ keys = [] }: { readonly keys: readonly ApiKey[] | undefined }) {
  const t = useTexts(requestsTexts);
  const [{ status = '', path = '', keyId = '' }, setQuery] = useQuery();
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
      <SearchField
        label={t.path}
        value={path}
        onSearch={(wanted) => {
          setQuery({ path: wanted.trim() });
        }}
      />
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
