import type { BulkSync } from '../../../../../client/generated/types.gen.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { useFormat } from '../../i18n/format.ts';
import { Badge, type Tone } from '../../ui/icon.tsx';
import { doneOf } from './bulk-progress.ts';
import { bulkSyncsTexts } from './texts.ts';
import './bulk-state.css';

const tones: Readonly<Record<BulkSync['state'], Tone>> = {
  running: 'wait',
  cancelling: 'wait',
  completed: 'ok',
  cancelled: 'quiet',
};

/** The state of a bulk sync in a word. */
export function BulkStateBadge({ bulk: { state, failed } }: { readonly bulk: BulkSync }) {
  const t = useTexts(bulkSyncsTexts);
  // Green would hide that lines need correction.
  if (state === 'completed' && failed > 0) return <Badge tone="wait">{t.withErrors}</Badge>;
  return <Badge tone={tones[state]}>{t.states[state]}</Badge>;
}

/** How many lines are done, as a bar and in numbers. */
export function BulkBar({ bulk }: { readonly bulk: BulkSync }) {
  const t = useTexts(bulkSyncsTexts);
  const format = useFormat();
  const done = doneOf(bulk);
  return (
    <span class="bulk-bar">
      <progress max={Math.max(bulk.total, 1)} value={bulk.total === 0 ? 1 : done} aria-label={t.progress} />
      <span class="small numbers">{t.progressOf(format.number(done), format.number(bulk.total))}</span>
    </span>
  );
}
