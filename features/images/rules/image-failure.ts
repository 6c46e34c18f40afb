export const imageFailureKinds = [
  'invalid_address',
  'not_https',
  'not_public',
  'host_not_found',
  'unreachable',
  'untrusted',
  'broken',
  'too_slow',
  'not_found',
  'no_access',
  'redirect',
  'too_many_requests',
  'server_fault',
  'http_error',
  'incomplete',
  'empty',
  'too_large',
  'not_an_image',
  'heic',
  'damaged',
  'too_many_pixels',
  'undecodable',
  'quota_exceeded',
] as const;
export type ImageFailureKind = (typeof imageFailureKinds)[number];

/** Safe to show to the account that pushed the image. */
export interface ImageFailure {
  readonly kind: ImageFailureKind;
  /** The HTTP status, or the exceeded limit in seconds, MB or millions of pixels, depending on the kind. */
  readonly number?: number;
  /** Further technical detail, in English. */
  readonly detail?: string;
}

/** The problem and its remedy, without the numbers of one image. */
export const imageFailureInEnglish: Readonly<Record<ImageFailureKind, string>> = {
  invalid_address: 'the address is not valid',
  not_https: 'the address does not begin with https',
  not_public: 'the address is not public',
  host_not_found: 'the image server was not found: look for a typing error in the address',
  unreachable: 'the image server cannot be reached',
  untrusted: 'the certificate of the image server is not trusted',
  broken: 'the connection to the image server was lost',
  too_slow: 'the image server is too slow',
  not_found: 'there is no image at this address',
  no_access: 'the image server gives no access: the image must be public',
  redirect: 'the address leads to another one that cannot be used: send the final address',
  too_many_requests: 'the image server was asked for too many images: send the item again later',
  server_fault: 'the image server has a fault: send the item again when it works',
  http_error: 'the image server refused',
  incomplete: 'the image server did not send the whole image',
  empty: 'the image server sent an empty file',
  too_large: 'the file is too large',
  not_an_image: 'the file is not a JPEG, PNG, GIF, WebP or AVIF image',
  heic: 'HEIC images cannot be read: send JPEG, PNG, WebP or AVIF',
  damaged: 'the file is damaged',
  too_many_pixels: 'the image has too many pixels',
  undecodable: 'the image cannot be decoded: save it again in another program',
  quota_exceeded: 'the account has no room for more images',
};

/** A sentence without its full stop: `there is no image at this address (HTTP 404)`. */
export function describeImageFailure({ kind, number, detail }: ImageFailure): string {
  const more = [
    ...(number === undefined ? [] : [numberInEnglish(kind, number)]),
    ...(detail === undefined ? [] : [detail]),
  ];
  return `${imageFailureInEnglish[kind]}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}

function numberInEnglish(kind: ImageFailureKind, number: number): string {
  if (kind === 'too_large') return `at most ${number} MB`;
  if (kind === 'too_many_pixels') return `at most ${number} million`;
  return kind === 'too_slow' || kind === 'undecodable' ? `after ${number} s` : `HTTP ${number}`;
}
