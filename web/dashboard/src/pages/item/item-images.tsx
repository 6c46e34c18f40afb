import type { PartnerItem } from '../../../../../client/generated/types.gen.ts';
import { tellImageFailure } from '../../history/image-failures.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useTexts } from '../../i18n/define-texts.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { itemTexts } from './texts.ts';

type Image = PartnerItem['images'][number];

const tones: Readonly<Record<Image['state'], Tone>> = { pending: 'wait', hosted: 'ok', failed: 'bad' };

/** Every image in its state; opens in full where it is hosted. */
export function ItemImages({ images }: { readonly images: readonly Image[] }) {
  const t = useTexts(itemTexts);
  const language = useLanguage();
  if (images.length === 0) return <p class="muted">{t.noImages}</p>;
  return (
    <ul class="item-images">
      {images.map((image, index) => (
        <li key={`${index} ${image.sourceUrl}`}>
          <Picture image={image} name={t.image(index + 1)} />
          <p class="row">
            <Badge tone={tones[image.state]}>{t.imageStates[image.state]}</Badge>
            <a class="small" href={image.sourceUrl} target="_blank" rel="noopener noreferrer">
              {t.source}
              <span class="unseen"> {t.image(index + 1)}</span>
            </a>
          </p>
          {image.failure !== null && <p class="small item-image-reason">{tellImageFailure(image.failure, language)}</p>}
        </li>
      ))}
    </ul>
  );
}

function Picture({ image: { url, thumbnailUrl }, name }: { readonly image: Image; readonly name: string }) {
  if (url === null) return <Thumbnail url={null} size="large" />;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" aria-label={name}>
      <Thumbnail url={thumbnailUrl ?? url} size="large" />
    </a>
  );
}
