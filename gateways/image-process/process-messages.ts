import { Type, type Static } from 'typebox';
import { imageFailureKinds, type ImageFailure } from '../../features/images/rules/image-failure.ts';
import { retries, type ImagePlaces, type Retry } from './port.ts';

/** What an image process is told. `image` numbers the images of one process. */
export type ProcessTask =
  | { readonly kind: 'fetch'; readonly image: number; readonly url: string; readonly account: string }
  /** Decodes what was fetched, if that takes no more memory, and stores it. One image of a process at a time. */
  | { readonly kind: 'encode'; readonly image: number; readonly megabytesMax: number; readonly places: ImagePlaces }
  /** Stops the download, or forgets what was fetched. */
  | { readonly kind: 'forget'; readonly image: number };

export interface ProcessSettings {
  readonly allowPrivateNetworks: boolean;
  /** Megabytes of pictures that a process has fetched or is fetching, and has not encoded yet. */
  readonly roomMegabytes: number;
}

const kinds = imageFailureKinds.map((kind) => Type.Literal(kind));
const count = Type.Integer({ minimum: 0 });
const contentHash = Type.String({ pattern: '^[0-9a-f]{64}$' });

/**
 * What an image process says of an image; each but `encoded` and `too slow` is the answer to a task. Checked, because a hostile picture may have
 * taken over the process that decodes it.
 */
export const processAnswerSchema = Type.Union([
  Type.Object({ kind: Type.Literal('fetched'), image: count, contentHash }),
  Type.Object({
    kind: Type.Literal('unusable'),
    image: count,
    failure: Type.Object({
      kind: Type.Union(kinds),
      number: Type.Optional(Type.Number()),
      detail: Type.Optional(Type.String({ maxLength: 500 })),
    }),
    retry: Type.Union(retries.map((retry) => Type.Literal(retry))),
  }),
  Type.Object({ kind: Type.Literal('too heavy'), image: count, megabytes: count }),
  /** So many seconds of CPU: the decoder can't be interrupted, so the process is to be killed. */
  Type.Object({ kind: Type.Literal('too slow'), image: count, seconds: count }),
  /** The decoder is free for the next image. */
  Type.Object({ kind: Type.Literal('encoded'), image: count }),
  Type.Object({ kind: Type.Literal('stored'), image: count, bytes: count }),
  Type.Object({ kind: Type.Literal('not stored'), image: count, reason: Type.String({ maxLength: 500 }) }),
]);
type Checked = Static<typeof processAnswerSchema>;

/** The same as the process writes it. */
export type ProcessAnswer =
  | Exclude<Checked, { kind: 'unusable' }>
  | { readonly kind: 'unusable'; readonly image: number; readonly failure: ImageFailure; readonly retry: Retry };
