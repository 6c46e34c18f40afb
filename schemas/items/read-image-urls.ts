import type { FieldProblem } from '../../core/errors.ts';
import type { RequestWarning } from '../../core/items/item-content.ts';
import { compileSchema } from '../compile-schema.ts';
import { imageListNames, imagesMax, imageUrlsSchema } from './item-request.ts';

export interface ImageUrlsReading {
  /** The field name under which the list was sent. */
  readonly name: string | undefined;
  /** In the order sent, each URL once. */
  readonly urls: readonly string[];
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly RequestWarning[];
}

const imageUrls = compileSchema(imageUrlsSchema);

/** Reads the image list under any of its names. Problems always name `imageUrls.N` (interface-decisions "Items"). */
export function readImageUrls(body: Readonly<Record<string, unknown>>): ImageUrlsReading {
  const names = imageListNames.filter((name) => Object.hasOwn(body, name));
  const [name] = names;
  if (name === undefined) return refused([{ field: 'imageUrls', message: 'is required' }]);
  if (names.length > 1) {
    const message = `must be sent under one name only, not as ${names.join(' and ')}${readBackHint(body)}`;
    return refused([{ field: 'imageUrls', message }]);
  }
  const list = body[name];
  // Checked before the entries: there may be a million of them, each with its own problem.
  if (Array.isArray(list) && list.length > imagesMax) {
    return refused([{ field: 'imageUrls', message: `must have at most ${imagesMax} entries` }]);
  }
  if (!imageUrls.accepts(list)) return refused(imageUrls.problems(list, 'imageUrls'));
  const { urls, warnings } = withoutRepeats(list);
  return { name, urls, problems: [], warnings };
}

/** A list of objects is the `images` of `view=full`, sent back by the caller. */
function readBackHint({ images }: Readonly<Record<string, unknown>>): string {
  const isReadBack = Array.isArray(images) && images.some((entry) => typeof entry === 'object' && entry !== null);
  return isReadBack ? '; leave out images, which view=full adds to say what became of imageUrls' : '';
}

const refused = (problems: readonly FieldProblem[]): ImageUrlsReading => ({
  name: undefined,
  urls: [],
  problems,
  warnings: [],
});

/** A repeated picture is a mistake of the sending system, but no reason to refuse the item: it is dropped with a warning. */
function withoutRepeats(list: readonly string[]): Pick<ImageUrlsReading, 'urls' | 'warnings'> {
  const urls = [...new Set(list)];
  if (urls.length === list.length) return { urls, warnings: [] };
  const warnings = list.flatMap((url, index) => {
    const first = list.indexOf(url);
    return first === index
      ? []
      : [{ field: `imageUrls.${index}`, message: `repeats imageUrls.${first} and is ignored` }];
  });
  return { urls, warnings };
}
