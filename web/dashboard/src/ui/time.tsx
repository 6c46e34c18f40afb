import { useEffect, useState } from 'preact/hooks';
import { useFormat } from '../i18n/format.ts';

interface TimeProps {
  /** ISO 8601 */
  readonly at: string;
  /** Things happen within a minute here. */
  readonly hasSeconds?: boolean;
}

/** Day and minute in Swedish time, in a log with seconds; in full as a tooltip. */
export function Time({ at, hasSeconds = false }: TimeProps) {
  const format = useFormat();
  return (
    <time class="numbers" dateTime={at} title={format.exactTime(at)}>
      {hasSeconds ? format.second(at) : format.time(at)}
    </time>
  );
}

const tickMs = 15_000;

/** How long ago, counting on. */
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
