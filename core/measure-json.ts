const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Levels of arrays and objects in JSON that a caller may send. An item has four. */
export const jsonDepthMax = 64;

export interface JsonMeasure {
  /** Whether the text has more than `depthMax` arrays and objects around a value; it is not read further then. */
  readonly isTooDeep: boolean;
  /** How many names it has in all its objects. JSON.parse drops those that stand there twice. */
  readonly names: number;
}

/**
 * Measures JSON text before it is parsed. One pass that keeps nothing in memory, about 1 ns a character: JSON.parse takes a
 * hundred times as long for 500,000 levels. For text that is not JSON the answer has no meaning.
 */
export function measureJson(text: string, depthMax: number): JsonMeasure {
  let depth = 0;
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === colon) names += 1;
    else if (code === openBracket || code === openBrace) depth += 1;
    else if (code === closeBracket || code === closeBrace) depth -= 1;
    if (depth > depthMax) return { isTooDeep: true, names };
  }
  return { isTooDeep: false, names };
}

/** The place of the quote that ends the string which begins at `at`; the text's end when there is none. */
function endOfString(text: string, at: number): number {
  for (let end = at + 1; end < text.length; end += 1) {
    const code = text.charCodeAt(end);
    if (code === backslash) end += 1;
    else if (code === quote) return end;
  }
  return text.length;
}
