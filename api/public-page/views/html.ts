/** Text that is HTML already. Only {@link html} makes it, so that nothing gets into a page unescaped. */
export class Html {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

/** Values allowed in a template: `null`, `undefined` and `false` render as nothing. */
export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[];

/** A piece of a page. Every value except Html is escaped for text and for quoted attributes. */
export const html = (texts: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html =>
  new Html(texts.map((text, n) => text + textOf(parts[n])).join(''));

function textOf(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return '';
  if (part instanceof Html) return part.toString();
  if (typeof part === 'string' || typeof part === 'number') return escape(String(part));
  return part.map(textOf).join('');
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
