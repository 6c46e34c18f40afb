import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useFormat } from '../i18n/format.ts';
import './facts.css';

interface Fact {
  readonly label: string;
  readonly value: ComponentChildren;
}

/** Names and values of one thing. Values that are undefined or null are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const given = facts.filter(({ value }) => value !== undefined && value !== null && value !== '');
  return (
    <dl class="facts">
      {given.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface TimeProps {
  /** ISO 8601 */
  readonly at: string;
  /** Seconds matter here. */
  readonly hasSeconds?: boolean;
}

/** Day and minute in Swedish time, with seconds in a log; the full time is the tooltip. */
export function Time({ at, hasSeconds = false }: TimeProps) {
  const format = useFormat();
  return (
    <time class="numbers" dateTime={at} title={format.exactTime(at)}>
      {hasSeconds ? format.second(at) : format.time(at)}
    </time>
  );
}

const tickMs = 15_000;

/** The elapsed time, which is kept up to date. */
export function Ago({ at }: { readonly at: string }) {
  const format = useFormat();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    setNow(Date.now());
    const timer = setInterval(() => {
      setNow(Date.now());
    }, tickMs);
    return () => {
      clearInterval(timer);
    };
  }, [at]);
  return (
    <time dateTime={at} title={format.exactTime(at)}>
      {format.ago(at, now)}
    </time>
  );
}

/** An amount in SEK; öre are shown only when there are any. */
export function Money({ sek }: { readonly sek: number }) {
  return <span class="numbers">{useFormat().money(sek)}</span>;
}
