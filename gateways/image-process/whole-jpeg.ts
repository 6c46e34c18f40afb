type FailOn = 'warning' | 'error';

const endOfImage = Buffer.from([0xff, 0xd9]);
const startOfScan = Buffer.from([0xff, 0xda]);
/** What a baseline scan has to say there, and decoders ignore: all coefficients, in one pass. */
const baselineScan = [0, 63, 0] as const;
const oddScan = /Invalid SOS parameters/;
/** These are about the head of the file. Bytes too many before a table of codes, a scan or the end mean that a part is lost. */
const harmless =
  /extraneous bytes before marker 0x(?:db|dd|fe|e.|c[0-2])|Unknown Adobe color transform|unknown JFIF revision/;

/**
 * Decodes a JPEG, and refuses one that lacks a part of its picture. The decoder reports a lost part as a warning: without the
 * rest of the file it draws grey. But it also warns of whole pictures, and its errors are about the end marker, which whole
 * pictures lack at times. So the marker is added, and harmless warnings are passed over. `decode` throws the decoder's message.
 */
export async function decodeWholeJpeg<Result>(
  bytes: Buffer,
  decode: (jpeg: Buffer, failOn: FailOn) => Promise<Result>,
): Promise<Result> {
  const ended = bytes.subarray(-2).equals(endOfImage) ? bytes : Buffer.concat([bytes, endOfImage]);
  try {
    return await decode(ended, 'warning');
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    // Samsung's cameras. What follows the scan's header is still to be checked, so the header is put right.
    if (oddScan.test(message)) return decode(withBaselineScans(ended), 'warning');
    // No marker is added here, so that a picture cut short is an error.
    if (harmless.test(message)) return decode(bytes, 'error');
    throw error;
  }
}

function withBaselineScans(jpeg: Buffer): Buffer {
  const changed = Buffer.from(jpeg);
  for (let at = firstScan(jpeg); at !== -1; at = jpeg.indexOf(startOfScan, at + 2)) {
    const components = jpeg[at + 4] ?? 0;
    if (at + 8 + 2 * components <= jpeg.length) changed.set(baselineScan, at + 5 + 2 * components);
  }
  return changed;
}

/** Segments are skipped by their length, because they may hold the bytes of any marker; picture data may not. */
export function countScans(jpeg: Buffer): number {
  let scans = 0;
  for (let at = nextMarker(jpeg, 2); at !== -1 && jpeg[at + 1] !== endOfImage[1];) {
    if (jpeg[at + 1] === startOfScan[1]) scans += 1;
    at = at + 4 > jpeg.length ? -1 : nextMarker(jpeg, at + 2 + jpeg.readUInt16BE(at + 2));
  }
  return scans;
}

/** The next marker with a segment, or the end of the image; -1: there is none. */
function nextMarker(jpeg: Buffer, from: number): number {
  const hasNoSegment = (code: number): boolean => code <= 0x01 || code === 0xff || (code >= 0xd0 && code <= 0xd8);
  for (let at = jpeg.indexOf(0xff, from); at !== -1 && at + 1 < jpeg.length; at = jpeg.indexOf(0xff, at + 1))
    if (!hasNoSegment(jpeg[at + 1] ?? 0)) return at;
  return -1;
}

/** Metadata may hold the bytes of the marker, picture data may not. */
function firstScan(jpeg: Buffer): number {
  for (let at = 2; at + 4 <= jpeg.length && jpeg[at] === 0xff; at += 2 + jpeg.readUInt16BE(at + 2))
    if (jpeg[at + 1] === startOfScan[1]) return at;
  return -1;
}
