/** A form as Stripe's SDK sends it: `line_items[0][price]=x` becomes nested objects; values are text. */
export interface Form {
  readonly [name: string]: string | Form;
}

const depthMax = 8;

/** Parses a form body; fields that are nested too deep are dropped. */
export function parseForm(text: string): Form {
  const form = emptyForm();
  for (const [key, value] of new URLSearchParams(text)) {
    const names = key.split(/\[|\]\[|\]$/).filter((name, index, all) => name !== '' || index < all.length - 1);
    if (names.length <= depthMax) place(form, names, value);
  }
  return form;
}

interface MutableForm {
  [name: string]: string | MutableForm;
}

function place(form: MutableForm, names: readonly string[], value: string): void {
  const [name, ...rest] = names;
  if (name === undefined) return;
  if (rest.length === 0) {
    form[name] = value;
    return;
  }
  const child = form[name];
  const inner = typeof child === 'object' ? child : emptyForm();
  form[name] = inner;
  place(inner, rest, value);
}

/** Without a prototype, so that a key such as `__proto__` is a key like any other. */
function emptyForm(): MutableForm {
  return Object.create(null) as MutableForm;
}

/** A text field; null when it is absent, empty or nested. */
export function formText(form: Form, name: string): string | null {
  const value = form[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** `metadata[x]=y` as a plain object of texts; empty when absent. */
export function formTexts(form: Form, name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(formObject(form, name)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** A nested object; empty when it is absent or a text. */
export function formObject(form: Form, name: string): Form {
  const value = form[name];
  return typeof value === 'object' ? value : {};
}
