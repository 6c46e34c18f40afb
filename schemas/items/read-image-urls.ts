import type { FieldProblem } from '../../core/errors.ts';
import type { RequestWarning } from '../../core/items/item-content.ts';
import { compileSchema } from '../compile-schema.ts';
import { imageListNames, imageUrlsSchema } from './item-request.ts';

export interface ImageUrlsReading {
  /** The name the list was sent under. */
  readonly name: string | undefined;
  /** In the order sent, each URL once. */
  readonly urls: readonly string[];
  /** Names under which came what is no image list: what `view=full` says about the images, sent back. */
  readonly ignored: readonly string[];
  readonly problems: readonly FieldProblem[];
  readonly warnings: readonly RequestWarning[];
}

const imageUrls = compileSchema(imageUrlsSchema);

/** The image list under whichever of its names it was sent. Problems name `imageUrls.N` always (decisions "Items"). */
export function readImageUrls(body: Readonly<Record<string, unknown>>): ImageUrlsReading {
  const sent = imageListNames.filter((name) => Object.hasOwn(body, name));
  const ignored = sent.filter((name) => isReadBack(body, name));
  const names = sent.filter((name) => !ignored.includes(name));
  const [name] = names;
  if (name === undefined) return refused([{ field: 'imageUrls', message: 'is required' }]);
  if (names.length > 1) {
    return refused([
      { field: 'imageUrls', message: `must be sent under one name only, not as ${names.join(' and ')}` },
    ]);
  }
  const list = body[name];
  if (!imageUrls.accepts(list)) return refused(imageUrls.problems(list, 'imageUrls'));
  const { urls, warnings } = withoutRepeats(list);
  return { name, urls, ignored, problems: [], warnings: [...ignored.map(readBackWarning), ...warnings] };
}

/** Beside `imageUrls`, a list of objects can't be meant as image list; nor can an empty one where there are no images. */
function isReadBack(body: Readonly<Record<string, unknown>>, name: string): boolean {
  const { imageUrls: main, [name]: list } = body;
  if (name === 'imageUrls' || !Array.isArray(main) || !Array.isArray(list)) return false;
  return list.length === 0 ? main.length === 0 : list.every((entry) => typeof entry === 'object' && entry !== null);
}

const readBackWarning = (name: string): RequestWarning => ({
  field: name,
  message: 'is what the service says about the images and is ignored; imageUrls counts',
});

const refused = (problems: readonly FieldProblem[]): ImageUrlsReading => ({
  name: undefined,
  urls: [],
  ignored: [],
  problems,
  warnings: [],
});

/** The same picture twice in an auction is a mistake of the sending system, but no reason to refuse the item. */
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
