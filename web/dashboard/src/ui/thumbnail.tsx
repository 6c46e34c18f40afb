import { Icon } from './icon.tsx';
import './thumbnail.css';

interface ThumbnailProps {
  /** null: there is none (yet). */
  readonly url: string | null;
  readonly size?: 'small' | 'large';
}

/** Beside what it shows, so that it has no words of its own. */
export function Thumbnail({ url, size = 'small' }: ThumbnailProps) {
  return (
    <span class={`thumbnail thumbnail-${size}`}>
      {url === null ? <Icon name="picture" /> : <img src={url} alt="" loading="lazy" decoding="async" />}
    </span>
  );
}
