import { FileProblem } from './file-findings.ts';

export interface ListedItem {
  /** Its position in the list, from 1. */
  readonly item: number;
  /** Line of the file on which it begins. */
  readonly line: number;
  /** The unparsed value on one line. */
  readonly text: string;
}

/**
 * The values of a JSON array of any length, one at a time. Only brackets and quotes are examined. Throws {@link
 * FileProblem} when a value or the list has no end, or something follows the list.
 */
export async function* listedItems(chunks: AsyncIterable<string>): AsyncGenerator<ListedItem, void> {
  const reader = createReader();
  for await (const chunk of chunks) yield* reader.read(chunk);
  reader.end();
}

function createReader() {
  let [line, item, itemLine, depth] = [1, 0, 1, 0];
  let text = '';
  let isInText = false;
  let isEscaped = false;

  function* read(chunk: string): Generator<ListedItem, void> {
    for (const character of chunk) {
      if (character === '\n') line += 1;
      if (isInText) takeText(character);
      else if (depth === 0) open(character);
      else if (depth === 1 && (character === ',' || character === ']')) {
        requireShort();
        if (text.trim() !== '') yield { item: (item += 1), line: itemLine, text: text.trim() };
        text = '';
        if (character === ']') depth = -1;
      } else if (depth > 0) take(character);
      else if (!isBlank(character)) throw new FileProblem({ kind: 'noList', line });
    }
    requireShort();
  }

  function requireShort(): void {
    if (text.length > valueLengthMax) throw new FileProblem({ kind: 'longItem', item: item + 1, line: itemLine });
  }

  /** Reads the text before the list. */
  function open(character: string): void {
    if (isBlank(character)) return;
    if (character !== '[') throw new FileProblem({ kind: 'noList', line });
    depth = 1;
  }

  function take(character: string): void {
    if (isBlank(character)) {
      // A line break inside a value is white space in JSON, but would end the line here.
      if (text !== '') text += ' ';
      return;
    }
    if (text === '') itemLine = line;
    text += character;
    if (character === '"') isInText = true;
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }

  function takeText(character: string): void {
    // JSON texts contain no line break. The service will refuse this value, which must stay on one line.
    text += character === '\n' || character === '\r' ? '\t' : character;
    if (isEscaped) isEscaped = false;
    else if (character === '\\') isEscaped = true;
    else if (character === '"') isInText = false;
  }

  function end(): void {
    if (depth !== -1) throw withoutEnd();
  }

  const withoutEnd = (): FileProblem => new FileProblem({ kind: 'openItem', item: item + 1, line: itemLine });

  return { read, end };
}

const isBlank = (character: string): boolean =>
  character === ' ' || character === '\n' || character === '\r' || character === '\t';

/** A value without an end must not fill the memory; the service accepts lines of up to 1 MB. */
const valueLengthMax = 2_000_000;
