import type { ComponentChildren } from 'preact';
import './badge.css';
import './thumbnail.css';

/** Paths on a grid of 16. Icons are always next to words, so screen readers skip them. */
const paths = {
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  warning: 'M8 2.2L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.2',
  info: 'M8 14.2A6.2 6.2 0 1 0 8 1.8a6.2 6.2 0 0 0 0 12.4zM8 7.2v4M8 4.8v.2',
  external: 'M9.5 2.5h4v4M13.5 2.5L7.5 8.5M11.5 9v4.5h-9v-9H7',
  back: 'M10 3L5 8l5 5',
  picture: 'M2 3h12v10H2zM2 11l3.5-3.5 3 3L10.5 8.5 14 12M10.6 5.8v.2',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.8 10.8L14 14',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}

/**
 * ok: as it should be; wait: continues by itself; bad: the partner must act; info: worth seeing; quiet: over or not
 * begun.
 */
export type Tone = 'ok' | 'wait' | 'bad' | 'info' | 'quiet';

/** A state in one or two words; the colour only supports them. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge badge-${tone}`}>{children}</span>;
}

interface ThumbnailProps {
  /** null: no image (yet). */
  readonly url: string | null;
  readonly size?: 'small' | 'large';
}

/** Next to the thing that it shows, so it needs no words of its own. */
export function Thumbnail({ url, size = 'small' }: ThumbnailProps) {
  return (
    <span class={`thumbnail thumbnail-${size}`}>
      {url === null ? <Icon name="picture" /> : <img src={url} alt="" loading="lazy" decoding="async" />}
    </span>
  );
}
