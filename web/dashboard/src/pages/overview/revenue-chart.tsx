import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/language.ts';
import { bestMonth, middleOf, type RevenueMonth } from './revenue-series.ts';
import { overviewTexts } from './texts.ts';

/**
 * Bars by month: the net amount, and the fee above it. Its code is loaded when it is drawn; the table next to it has
 * the same numbers.
 */
export function RevenueChart({ months }: { readonly months: readonly RevenueMonth[] }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const monthName = useMonthName();
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<RevenueMonth>();
  const [hasFailed, setFailed] = useState(false);
  const theme = useDrawnTheme();
  // Polling returns equal numbers as new objects, which need no new drawing.
  const drawn = JSON.stringify(months);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isHere = true;
    import('./draw-revenue.ts').then(
      ({ drawRevenue }) => {
        const target = place.current;
        if (!isHere || target === null) return;
        stop = drawRevenue(target, {
          months,
          monthLabel: (month) => (month === '' ? '' : monthName(month, 'short')),
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
  }, [drawn, format, monthName, theme]);
  const best = bestMonth(months);
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
        aria-label={best && t.chartOf(monthName(best.month, 'long'), format.money(best.gross))}
      />
      <p class="overview-pointed small muted" aria-hidden="true">
        {pointed === undefined ? t.pointAtBar : <Pointed month={pointed} />}
      </p>
    </div>
  );
}

function Pointed({ month: { month, gross, fee, net, orders } }: { readonly month: RevenueMonth }) {
  const t = useTexts(overviewTexts);
  const format = useFormat();
  const monthName = useMonthName();
  return (
    <>
      {t.inMonth({
        month: monthName(month, 'long'),
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

/** `nov.` or `november 2026` from `2026-11`. */
export function useMonthName(): (month: string, length: Length) => string {
  const language = useLanguage();
  return useMemo(() => {
    const locale = language === 'sv' ? 'sv-SE' : 'en-GB';
    const formats: Readonly<Record<Length, Intl.DateTimeFormat>> = {
      short: new Intl.DateTimeFormat(locale, { month: 'short' }),
      long: new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }),
    };
    return (month, length) => formats[length].format(new Date(middleOf(month)));
  }, [language]);
}
