import type { ComponentChildren } from 'preact';
import './badge.css';

/** ok: as it should be; wait: goes on by itself; bad: somebody has to act; info: worth seeing; quiet: over or not begun. */
export type Tone = 'ok' | 'wait' | 'bad' | 'info' | 'quiet';

/** A state in one or two words. The words say it, the colour only helps. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}
