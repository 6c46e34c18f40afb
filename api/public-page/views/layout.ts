import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf } from '../../../platform/security/fingerprint.ts';
import { locateFolder } from '../../pages/page-files.ts';
import { languages, type Language } from '../language.ts';
import { html, type Html } from './html.ts';
import { texts } from './texts.ts';

export interface Layout {
  readonly language: Language;
  readonly title: string;
  readonly main: Html;
  /** Address of the same page in another language. */
  readonly addressIn: (language: Language) => string;
}

export function renderPage({ language, title, main, addressIn }: Layout): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} – itembridge</title>
        <link rel="icon" href="${assetAddress(icon)}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetAddress(stylesheet)}" />
      </head>
      <body>
        <header class="top">
          <p class="brand">
            <svg viewBox="0 0 32 32" aria-hidden="true"><path d="M5 21h22M8 21a8 8 0 0 1 16 0M16 13v8" /></svg>
            itembridge
          </p>
          <nav aria-label="${texts[language].languages}">
            <ul class="languages">
              ${languages.map((each) => languageLink(each, { isCurrent: each === language, href: addressIn(each) }))}
            </ul>
          </nav>
        </header>
        <main>${main}</main>
      </body>
    </html>`.toString();
}

/** Each language is named in its own language. */
const languageLink = (language: Language, { isCurrent, href }: { isCurrent: boolean; href: string }): Html => html`
  <li>
    <a href="${href}" lang="${language}" hreflang="${language}" ${isCurrent && html` aria-current="true"`}
      >${texts[language].languageName}</a
    >
  </li>
`;

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** The name changes with the content, so the file may be cached forever. */
  readonly file: string;
}

const folder = join(locateFolder('web'), 'public-page');

function load(name: string, extension: string, type: string): Asset {
  const bytes = readFileSync(join(folder, `${name}.${extension}`));
  return { type, bytes, file: `${name}.${fingerprintOf(bytes).slice(0, 12)}.${extension}` };
}

const stylesheet = load('public-page', 'css', 'text/css; charset=utf-8');
const icon = load('icon', 'svg', 'image/svg+xml');

const assetAddress = ({ file }: Asset): string => `/p/assets/${file}`;

/**
 * Finds a file by the name in its address. During a roll-out a page of another version may ask for its own file. It then gets the
 * present one, and must not cache it.
 */
export function findAsset(file: string): { readonly asset: Asset; readonly isCurrent: boolean } | undefined {
  const asset = [stylesheet, icon].find((one) => shapeOf(one.file) === shapeOf(file));
  return asset && { asset, isCurrent: asset.file === file };
}

const shapeOf = (file: string): string => file.replace(/\.[0-9a-f]{12}\./, '.*.');
