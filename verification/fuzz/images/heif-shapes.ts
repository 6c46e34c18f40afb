/** Names by which a reader of bytes 4 to 11 takes a file for AVIF or HEIC. */
export const heifBrands = ['avif', 'avis', 'mif1', 'msf1', 'heic', 'heix', 'hevc', 'hevx'];

/** A box of an AVIF or HEIC file: its length, its type, its content. */
export function box(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length + 8);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), content]);
}

/** An SVG that would be drawn for minutes. */
export const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000"><filter id="a">${'<feMorphology operator="dilate" radius="1000"/>'.repeat(60)}</filter><rect width="2000" height="2000" filter="url(#a)"/></svg>`;
