import { imageFailureKinds, type ImageFailure } from '../../core/items/image-failure.ts';
import type { EncodedImage } from './port.ts';

/** The request to a decoder process. The image's bytes come through a pipe, because a message would copy them twice. */
export interface DecoderTask {
  readonly length: number;
  readonly megabytesMax: number;
}

/** The pipe's file descriptor, the same in both processes. */
export const bytesFd = 4;

export type DecoderAnswer =
  | { readonly kind: 'encoded'; readonly image: EncodedImage }
  | { readonly kind: 'too heavy'; readonly megabytes: number }
  | { readonly kind: 'unusable'; readonly failure: ImageFailure };

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** Whether a message is a task. */
export const isDecoderTask = (message: unknown): message is DecoderTask =>
  isFields(message) && typeof message['length'] === 'number' && typeof message['megabytesMax'] === 'number';

/** Checked, because a hostile image may have taken over the process that decodes it. */
export function isDecoderAnswer(message: unknown): message is DecoderAnswer {
  if (!isFields(message)) return false;
  if (message['kind'] === 'encoded') return isEncodedImage(message['image']);
  if (message['kind'] === 'too heavy') return typeof message['megabytes'] === 'number';
  return message['kind'] === 'unusable' && isImageFailure(message['failure']);
}

const failureKinds: ReadonlySet<unknown> = new Set(imageFailureKinds);

const isImageFailure = (value: unknown): value is ImageFailure =>
  isFields(value) &&
  failureKinds.has(value['kind']) &&
  ['undefined', 'number'].includes(typeof value['number']) &&
  ['undefined', 'string'].includes(typeof value['detail']);

const isEncodedImage = (value: unknown): value is EncodedImage =>
  isFields(value) &&
  Buffer.isBuffer(value['large']) &&
  Buffer.isBuffer(value['thumb']) &&
  typeof value['widthPx'] === 'number' &&
  typeof value['heightPx'] === 'number';
