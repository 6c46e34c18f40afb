import type { Pages } from '../../api/use-pages.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Sentence } from '../../history/sentence.tsx';
import { ListOf } from '../../ui/list-of.tsx';
import { Time } from '../../ui/time.tsx';
import { itemTexts } from './texts.ts';
import type { TimelineEntry } from './use-timeline.ts';

/** Marked as something to look at. */
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
                  <Time at={entry.at} /> · {t.actors[entry.actor]}
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
