import { printParseErrorCode, visit } from 'jsonc-parser';
import { jsonDepthMax, measureJson } from '../core/measure-json.ts';

/**
 * A value, with the dotted paths of names that stand twice in their object ('' when a long text has some); or what is wrong with
 * the text, to be said after its subject.
 */
export type ReadJson = { readonly value: unknown; readonly repeated: readonly string[] } | { readonly problem: string };

/** Reads JSON with JSON.parse alone, and looks at the text itself only to say what is wrong with it. */
export function readJson(text: string): ReadJson {
  const { isTooDeep, names } = measureJson(text, jsonDepthMax);
  if (isTooDeep) return { problem: `is nested deeper than ${jsonDepthMax} levels` };
  try {
    const value: unknown = JSON.parse(text);
    return { value, repeated: names === countNames(value) ? [] : repeatedNames(text) };
  } catch {
    return { problem: `is not well-formed JSON${placeOfError(text)}` };
  }
}

function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) for (const entry of value) count += countNames(entry);
  else for (const child of Object.values(value)) count += 1 + countNames(child);
  return count;
}

/** A longer text is not looked at: that takes ten times as long as parsing it, 0.15 s for 1 MB. */
const lookedAtMax = 256 * 1024;

const strict = { disallowComments: true, allowTrailingComma: false };
const namedMax = 20;

/** The first names that stand there twice. */
function repeatedNames(text: string): string[] {
  if (text.length > lookedAtMax) return [''];
  const repeated = new Set<string>();
  const open: Set<string>[] = [];
  visit(
    text,
    {
      onObjectBegin: () => {
        open.push(new Set());
      },
      onObjectEnd: () => {
        open.pop();
      },
      // eslint-disable-next-line @typescript-eslint/max-params -- the library calls it so
      onObjectProperty: (name, _offset, _length, _line, _character, path) => {
        const names = open.at(-1);
        if (names?.has(name) === true && repeated.size < namedMax) repeated.add([...path(), name].join('.'));
        names?.add(name);
      },
    },
    strict,
  );
  return [...repeated];
}

/** Where the text stops being JSON, and what is expected there. The engine's own message would repeat parts of the text. */
function placeOfError(text: string): string {
  if (text.length > lookedAtMax) return '';
  if (text.includes('\0')) return ': it has NUL characters, as UTF-16 has; JSON is UTF-8';
  let place = '';
  try {
    visit(
      text,
      {
        // eslint-disable-next-line @typescript-eslint/max-params -- the library calls it so
        onError: (code, _offset, _length, line, character) => {
          const where = `${line === 0 ? '' : `line ${line + 1}, `}column ${character + 1}`;
          place = `: ${where}: ${wordsOf(printParseErrorCode(code))}`;
          throw new Found();
        },
      },
      strict,
    );
  } catch (error) {
    if (!(error instanceof Found)) throw error;
  }
  return place;
}

/** Ends the visit. */
class Found extends Error {
  override readonly name = 'Found';
}

const words: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'only numbers, true, false and null stand without double quotes'],
  ['InvalidNumberFormat', 'a number is expected, such as 10.50'],
  ['PropertyNameExpected', 'a name in double quotes is expected after a comma'],
  ['ValueExpected', 'a value is expected'],
  ['ColonExpected', 'a colon is expected'],
  ['CommaExpected', 'a comma, or the end of the list or object, is expected'],
  ['CloseBraceExpected', 'a } is expected'],
  ['CloseBracketExpected', 'a ] is expected'],
  ['EndOfFileExpected', 'the value has ended, nothing more is expected'],
  ['InvalidCommentToken', 'JSON has no comments'],
  ['UnexpectedEndOfString', String.raw`the text that begins here has no end on its line (write a line break as \n)`],
  ['InvalidEscapeCharacter', 'the text that begins here has a backslash before a character that needs none'],
  ['InvalidUnicode', String.raw`the text that begins here has \u without four hexadecimal digits`],
  ['InvalidCharacter', String.raw`the text that begins here has a control character (write a tab as \t)`],
]);

const wordsOf = (code: string): string => words.get(code) ?? code;
