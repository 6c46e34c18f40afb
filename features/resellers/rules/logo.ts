export type LogoType = 'image/png' | 'image/jpeg' | 'image/webp';

export const logoBytesMax = 100_000;

/**
 * What a file is by how it begins and ends, whatever its sender says; undefined when it is no whole PNG, JPEG or WebP, or too
 * large. Nothing is decoded here, so a hostile picture costs nothing.
 */
export function logoTypeOf(bytes: Uint8Array): LogoType | undefined {
  if (bytes.length > logoBytesMax) return undefined;
  const [head, tail] = [String.fromCharCode(...bytes.subarray(0, 12)), String.fromCharCode(...bytes.subarray(-8))];
  if (head.startsWith('\u0089PNG\r\n\u001A\n')) return tail === 'IEND\u00AEB`\u0082' ? 'image/png' : undefined;
  if (head.startsWith('\u00FF\u00D8\u00FF')) return tail.endsWith('\u00FF\u00D9') ? 'image/jpeg' : undefined;
  return head.startsWith('RIFF') && head.endsWith('WEBP') && isWholeRiff(bytes) ? 'image/webp' : undefined;
}

/** The length in its head counts what follows the eight bytes with it. */
const isWholeRiff = ({ buffer, byteOffset, length }: Uint8Array): boolean =>
  new DataView(buffer, byteOffset, length).getUint32(4, true) === length - 8;
