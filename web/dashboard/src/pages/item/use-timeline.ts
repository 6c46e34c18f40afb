import { useEffect, useRef } from 'preact/hooks';
import type { PartnerItem, Timeline } from '../../../../../client/generated/types.gen.ts';
import { usePages, type Pages } from '../../api/use-pages.ts';
import { readTimeline, type ItemReference } from './item-api.ts';
import { lookAtItemAgainMs } from './look-at-item-again.ts';

export type TimelineEntry = Timeline['entries'][number];

/** What happened to the item, newest first; keeps up with it. */
export function useTimeline(reference: ItemReference, item: PartnerItem): Pages<TimelineEntry> {
  const timeline = usePages(
    async (before, signal) => {
      const { entries, nextBefore } = await readTimeline(reference, { before, signal });
      return { rows: entries, nextCursor: nextBefore === null ? null : String(nextBefore) };
    },
    {
      // The first line says why the item waits now: a later one takes its place.
      idOf: ({ at, kind, message }) => (kind === 'waiting' ? kind : `${at} ${kind} ${message}`),
      on: [reference],
      pollMs: () => lookAtItemAgainMs(item),
      shows: [{ kind: 'items', id: reference.externalId }, { kind: 'deliveries' }],
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
