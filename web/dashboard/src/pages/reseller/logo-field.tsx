import { useState } from 'preact/hooks';
import { useTexts } from '../../i18n/define-texts.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { resellerTexts } from './texts.ts';

/** The chosen picture as a data address; null: none any more; undefined: as it is. */
export type LogoChoice = string | null | undefined;

interface LogoFieldProps {
  /** Address of the stored logo. */
  readonly stored: string | null;
  readonly choice: LogoChoice;
  readonly onChoice: (choice: LogoChoice) => void;
  readonly problem: string | undefined;
}

/** Shows the logo, and takes another one or removes it; the form saves it. */
export function LogoField({ stored, choice, onChoice, problem }: LogoFieldProps) {
  const t = useTexts(resellerTexts);
  const [isUnreadable, setUnreadable] = useState(false);
  const shown = choice === undefined ? stored : choice;
  const take = (file: File): void => {
    drawLogo(file).then(
      (drawn) => {
        setUnreadable(false);
        onChoice(drawn);
      },
      () => {
        setUnreadable(true);
      },
    );
  };
  return (
    <>
      <Field
        label={t.logo}
        hint={t.logoHint}
        problem={isUnreadable ? t.logoUnreadable : problem}
        isOptional
        control={(attributes) => (
          <input
            {...attributes}
            class="control"
            type="file"
            accept="image/png,image/jpeg,image/webp"
            onChange={({ currentTarget }) => {
              const file = currentTarget.files?.[0];
              if (file !== undefined) take(file);
            }}
          />
        )}
      />
      {typeof shown === 'string' && (
        <div class="row">
          <img class="reseller-logo" src={shown} alt={t.logoNow} />
          <Button onClick={() => onChoice(null)}>{t.removeLogo}</Button>
        </div>
      )}
    </>
  );
}

/** Twice what the page shows, for fine screens. */
const [widthMax, heightMax] = [480, 128];

/**
 * The picture of the file, upright and no larger than the page needs. It is drawn anew, so that what else a photograph
 * tells (place, camera) stays here. Rejects when the browser can't read the file.
 */
async function drawLogo(file: File): Promise<string> {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, widthMax / picture.width, heightMax / picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  // Browsers that can't write WebP give PNG.
  return canvas.toDataURL('image/webp', 0.9);
}

/** The choice in the form that the API takes. */
export const logoOf = (choice: LogoChoice): { readonly logo?: string | null } =>
  choice === undefined ? {} : { logo: choice && choice.slice(choice.indexOf(',') + 1) };
