import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf } from '../../security/fingerprint.ts';
import { locateFolder } from '../pages/locate-folder.ts';

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

export const stylesheet = load('public-page', 'css', 'text/css; charset=utf-8');
export const icon = load('icon', 'svg', 'image/svg+xml');

export const assetAddress = ({ file }: Asset): string => `/p/assets/${file}`;

/**
 * Finds a file by the name in its address. During a roll-out a page of another version may ask for its own file. It then gets the
 * present one, and must not cache it.
 */
export function findAsset(file: string): { readonly asset: Asset; readonly isCurrent: boolean } | undefined {
  const asset = [stylesheet, icon].find((one) => shapeOf(one.file) === shapeOf(file));
  return asset && { asset, isCurrent: asset.file === file };
}

const shapeOf = (file: string): string => file.replace(/\.[0-9a-f]{12}\./, '.*.');
