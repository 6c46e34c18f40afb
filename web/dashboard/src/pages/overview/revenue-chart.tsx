import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { PartnerAnalytics } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { bestPart, type RevenuePart } from './revenue-series.ts';
import { overviewTexts } from './texts.ts';

export type RevenueUnit = NonNullable<PartnerAnalytics['period']>['unit'];

interface RevenueChartProps {
  readonly parts: readonly RevenuePart[];
  readonly unit: RevenueUnit;
}

/**
 * Bars by month or day: the net amount, and the fee above it. Its code is loaded when it is drawn; the table next to it
 * has the same numbers.
 */
export function RevenueChart({ parts, unit }: RevenueChartProps) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const nameOf = usePartName(unit);
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<RevenuePart>();
  const [hasFailed, setFailed] = useState(false);
  const theme = useDrawnTheme();
  // Polling returns equal numbers as new objects, which need no new drawing.
  const drawn = JSON.stringify(parts);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isHere = true;
    import('./draw-revenue.ts').then(
      ({ drawRevenue }) => {
        const target = place.current;
        if (!isHere || target === null) return;
        stop = drawRevenue(target, {
          parts,
          partLabel: (part) => nameOf(part, 'short'),
          amountLabel: (sek) => format.money(sek),
          onPoint: setPointed,
        });
      },
      () => {
        if (isHere) setFailed(true);
      },
    );
    return () => {
      isHere = false;
      stop?.();
    };
  }, [drawn, format, nameOf, theme]);
  const best = bestPart(parts);
  if (hasFailed) return <p class="muted">{t.noChart}</p>;
  return (
    <div class="overview-chart">
      <p class="overview-legend small" aria-hidden="true">
        <span class="overview-key overview-key-net">{t.net}</span>
        <span class="overview-key overview-key-fee">{t.fee}</span>
      </p>
      <div
        ref={place}
        class="overview-canvas"
        role="img"
        aria-label={best && t.chartOf(nameOf(best, 'long'), format.money(best.gross))}
      />
      <p class="overview-pointed small muted" aria-hidden="true">
        {pointed === undefined ? t.pointAtBar : <Pointed part={pointed} name={nameOf(pointed, 'long')} />}
      </p>
    </div>
  );
}

function Pointed({ part: { gross, fee, net, orders }, name }: { readonly part: RevenuePart; readonly name: string }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  return (
    <>
      {t.inPart({
        name,
        gross: format.money(gross),
        fee: format.money(fee),
        net: format.money(net),
        orders: format.number(orders),
      })}
    </>
  );
}

/** Changes with the colour scheme, because a canvas keeps the colours of its drawing. */
function useDrawnTheme(): string | null {
  const read = (): string | null => document.documentElement.getAttribute('data-theme');
  const [theme, setTheme] = useState(read);
  useEffect(() => {
    const watch = new MutationObserver(() => {
      setTheme(read());
    });
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      watch.disconnect();
    };
  }, []);
  return theme;
}

type Length = 'short' | 'long';

/** `nov.` or `november 2026`; of a day `26 nov.` or `26 november 2026`. */
export function usePartName(unit: RevenueUnit): (part: RevenuePart, length: Length) => string {
  const language = useLanguage();
  return useMemo(() => {
    const locale = language === 'sv' ? 'sv-SE' : 'en-GB';
    // A day is midnight in UTC here, and is written in that zone, so that it is the same day in every browser.
    const day: Intl.DateTimeFormatOptions = { timeZone: 'UTC', ...(unit === 'day' ? { day: 'numeric' } : {}) };
    const formats: Readonly<Record<Length, Intl.DateTimeFormat>> = {
      short: new Intl.DateTimeFormat(locale, { ...day, month: 'short' }),
      long: new Intl.DateTimeFormat(locale, { ...day, month: 'long', year: 'numeric' }),
    };
    return ({ begins }, length) => formats[length].format(new Date(begins));
  }, [language, unit]);
}
