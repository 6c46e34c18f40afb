import { useState } from 'preact/hooks';
import { defineTexts, useTexts } from '../i18n/define-texts.ts';
import { useQuery } from '../routing/use-query.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { firstDayOf, periodOf, recentDays, type Period } from './recent-days.ts';

const periods: readonly Period[] = ['', ...recentDays, 'own'];

/**
 * Filter by time, kept in the address as `from` and `to`. Usual periods need one choice. Two date fields, which every
 * browser formats differently, appear on request.
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

const periodTexts = defineTexts({
  sv: {
    period: 'Period',
    periods: {
      '': 'Alla',
      1: 'I dag',
      7: 'Senaste 7 dagarna',
      30: 'Senaste 30 dagarna',
      365: 'Senaste året',
      own: 'Välj datum …',
    },
    from: 'Från och med',
    to: 'Till och med',
  },
  en: {
    period: 'Period',
    periods: {
      '': 'All',
      1: 'Today',
      7: 'Last 7 days',
      30: 'Last 30 days',
      365: 'Last year',
      own: 'Choose dates…',
    },
    from: 'From',
    to: 'To',
  },
});
