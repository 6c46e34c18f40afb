/** A secret of the run: it may stand in the one answer that hands it out, and nowhere else. */
export interface Canary {
  readonly name: string;
  /** What is secret of it: without what every secret of its kind begins with. At least 16 characters. */
  readonly value: string;
  /** A partner's own data that is stored and shown to its owner, and still belongs into no log, trace or history. */
  readonly isData?: true;
}

export interface Leak {
  readonly place: string;
  readonly canary: string;
  /** How it stood there: `plain`, `base64`, … */
  readonly as: string;
}

/** So many characters in a row, of whatever encoding, are a leak; hints are shorter (6 characters of a key, 4 of a webhook secret). */
const runLength = 13;
/** What is encoded twice is looked into twice. */
const depthMax = 2;
const encodedWord = /[A-Za-z0-9+/_-]{24,}/g;

interface Needle {
  readonly canary: string;
  readonly as: string;
}

export type LeakFinder = (place: string, text: string) => Leak[];

/** Finds canaries in a text: whole, their beginning, or any 25 characters in a row, as they are or encoded, also inside of base64. */
export function createLeakFinder(canaries: readonly Canary[]): LeakFinder {
  const needles = new Map<string, Needle>();
  for (const canary of canaries)
    for (const [piece, needle] of needlesOf(canary)) if (!needles.has(piece)) needles.set(piece, needle);
  const mayBegin = new Uint8Array(1 << 18);
  for (const piece of needles.keys()) mayBegin[slotOf(piece, 0)] = 1;
  const look = (text: string): Needle[] => {
    const found = new Set<Needle>();
    for (let at = 0; at + runLength <= text.length; at += 1) {
      if (mayBegin[slotOf(text, at)] !== 1) continue;
      const needle = needles.get(text.substring(at, at + runLength));
      if (needle !== undefined) found.add(needle);
    }
    return [...found];
  };
  return (place, text) => {
    const leaks = new Map<string, Leak>();
    for (const { text: layer, depth } of layersOf(text))
      for (const { canary, as } of look(layer)) {
        const how = depth === 0 ? as : `${as} in ${'base64 in '.repeat(depth - 1)}base64`;
        leaks.set(`${canary} ${how}`, { place, canary, as: how });
      }
    return [...leaks.values()];
  };
}

function needlesOf({ name, value }: Canary): [string, Needle][] {
  if (value.length < 16) throw new Error(`the canary ${name} is too short to be told from chance`);
  return encodingsOf(value).flatMap(([as, encoded]) =>
    piecesOf(encoded).map((piece): [string, Needle] => [piece, { canary: name, as }]),
  );
}

const slotOf = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 4_099 + text.charCodeAt(at + 1) * 67 + text.charCodeAt(at + 2)) >>> 0) & 0x3ffff;

function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at + runLength <= text.length; at += runLength - 1) pieces.push(text.slice(at, at + runLength));
  return [...pieces, text.slice(-runLength)];
}

function encodingsOf(value: string): [string, string][] {
  const bytes = Buffer.from(value, 'utf8');
  const hex = bytes.toString('hex');
  // Three ways in which it can lie in what is encoded around it; the edges also depend on that.
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    return text.slice(before === 0 ? 0 : before + 1, -1);
  });
  return [
    ['plain', value],
    ['url-encoded', encodeURIComponent(value)],
    ['hex', hex],
    ['hex', hex.toUpperCase()],
    ...base64.map((text): [string, string] => ['base64', text]),
    ...base64.map((text): [string, string] => ['base64url', text.replaceAll('+', '-').replaceAll('/', '_')]),
    ['reversed', [...value].reverse().join('')],
  ];
}

/** The text, what its words say as base64, and what the words of that say. */
function* layersOf(text: string): Generator<{ readonly text: string; readonly depth: number }> {
  let layer = text;
  for (let depth = 0; depth <= depthMax && layer !== ''; depth += 1) {
    yield { text: layer, depth };
    layer = (layer.match(encodedWord) ?? []).map((word) => Buffer.from(word, 'base64').toString('latin1')).join('\n');
  }
}
