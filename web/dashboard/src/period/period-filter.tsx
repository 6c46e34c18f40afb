import { useState } from 'preact/hooks';
import { useTexts } from '../i18n/define-texts.ts';
import { useQuery } from '../routing/use-query.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { firstDayOf, periodOf, recentDays, type Period } from './recent-days.ts';
import { periodTexts } from './texts.ts';

const periods: readonly Period[] = ['', ...recentDays, 'own'];

/**
 * Filter by time, kept in the address as `from` and `to`: the usual spans by one choice. The two dates, which every browser writes in
 * its own way, are there for who asks for them.
 */
export function PeriodFilter() {
  const t = useTexts(periodTexts);
  const [{ from = '', to = '' }, setQuery] = useQuery();
  const [isOwn, setOwn] = useState(false);
  const period = isOwn ? 'own' : periodOf(from, to, Date.now());
  return (
    <>
      <SelectField
        label={t.period}
        value={period}
        choices={periods.map((value) => ({ value, label: t.periods[value] }))}
        onChange={(chosen) => {
          setOwn(chosen === 'own');
          if (chosen === '') setQuery({ from: undefined, to: undefined });
          else if (chosen !== 'own') setQuery({ from: firstDayOf(chosen, Date.now()), to: undefined });
        }}
      />
      {period === 'own' && (
        <>
          <DayField name="from" />
          <DayField name="to" />
        </>
      )}
    </>
  );
}

function DayField({ name }: { readonly name: 'from' | 'to' }) {
  const t = useTexts(periodTexts);
  const [query, setQuery] = useQuery();
  return (
    <TextField
      label={t[name]}
      type="date"
      isUnrequired
      value={query[name] ?? ''}
      onInput={(day) => {
        setQuery({ [name]: day });
      }}
    />
  );
}
