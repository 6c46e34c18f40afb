export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp';

export const logoBytesMax = 100_000;

/**
 * What a file is by its first bytes, whatever its sender says; undefined when it is no PNG, JPEG or WebP, or too large.
 * Nothing is decoded here, so a hostile picture costs nothing.
 */
export function logoTypeOf(bytes: Uint8Array): LogoType | undefined {
  if (bytes.length > logoBytesMax) return undefined;
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\u0089PNG\r\n\u001A\n')) return 'image/png';
  if (head.startsWith('\u00FF\u00D8\u00FF')) return 'image/jpeg';
  return head.startsWith('RIFF') && head.endsWith('WEBP') ? 'image/webp' : undefined;
}
