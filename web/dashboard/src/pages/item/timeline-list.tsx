import { useEffect, useRef } from 'preact/hooks';
import type { PartnerItem, Timeline } from '../../../../../client/generated/types.gen.ts';
import { usePages, type Pages } from '../../api/use-pages.ts';
import { watchedMs } from '../../api/use-polling.ts';
import { Sentence } from '../../history/sentence.tsx';
import { useTexts } from '../../i18n/define-texts.ts';
import { Time } from '../../ui/facts.tsx';
import { ListOf } from '../../ui/loaded.tsx';
import { readTimeline, type ItemReference } from './item-api.ts';
import { itemTexts } from './texts.ts';

/** Entries that are marked as problems. */
const troubles: ReadonlySet<TimelineEntry['kind']> = new Set([
  'change_refused',
  'take_down_refused',
  'given_up',
  'waiting',
]);

export function TimelineList({ timeline }: { readonly timeline: Pages<TimelineEntry> }) {
  const t = useTexts(itemTexts);
  return (
    <ListOf pages={timeline} empty={<p class="muted">{t.noEvents}</p>}>
      {(entries) => (
        <ol class="item-timeline">
          {entries.map((entry) => (
            <li
              key={`${entry.at} ${entry.kind} ${JSON.stringify(entry.details)}`}
              class={troubles.has(entry.kind) ? 'item-trouble' : ''}
            >
              <p class="item-event">
                <strong>{t.kinds[entry.kind]}</strong>
                <span class="muted small">
                  <Time at={entry.at} hasSeconds /> · {t.actors[entry.actor]}
                </span>
              </p>
              <p class="small">
                <Sentence entry={entry} />
              </p>
            </li>
          ))}
        </ol>
      )}
    </ListOf>
  );
}

type TimelineEntry = Timeline['entries'][number];

/** The item's history, newest first; it is updated. */
export function useTimeline(reference: ItemReference, item: PartnerItem): Pages<TimelineEntry> {
  const timeline = usePages(
    async (before, signal) => {
      const { entries, nextBefore } = await readTimeline(reference, { before, signal });
      return { rows: entries, nextCursor: nextBefore === null ? null : String(nextBefore) };
    },
    {
      // The first entry shows the present wait, and a later wait replaces it.
      idOf: ({ at, kind, message }) => (kind === 'waiting' ? kind : `${at} ${kind} ${message}`),
      on: [reference],
      pollMs: watchedMs,
    },
  );
  const { reload } = timeline;
  const shown = useRef(item.updatedAt);
  useEffect(() => {
    if (shown.current !== item.updatedAt) reload();
    shown.current = item.updatedAt;
  }, [item.updatedAt, reload]);
  return timeline;
}
