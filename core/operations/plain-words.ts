const lengthMax = 300;
/** Characters of a message that are read at most: a message may be a server's whole error page. */
const lookedAtMax = 2_000;

/**
 * A foreign text, such as an error message, made safe to show to an operator inside Markdown. The result is one line of at most
 * 300 characters. It has no user, password or query of a URL, no key or token, and no characters that Markdown interprets.
 */
export function plainWords(text: string): string {
  const line = beginning(text)
    .replace(/\s+/g, ' ')
    .replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#@]*@)?([^\s?#]*)([?#]\S*)?/gi, '$1$3')
    .replace(/\b(sk_live_|sk_test_|whsec_|Bearer )[\w+/=.-]+/g, '$1…')
    .replace(/[`*[\]<>|\\#]/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length <= lengthMax ? line : `${line.slice(0, lengthMax - 1)}…`;
}

/** Cuts at the end of a word if possible: in a URL that is cut in the middle, a password would not be recognised. */
function beginning(text: string): string {
  if (text.length <= lookedAtMax) return text;
  const start = text.slice(0, lookedAtMax);
  const lastSpace = start.lastIndexOf(' ');
  return lastSpace > 0 ? start.slice(0, lastSpace) : start;
}

/** {@link plainWords} as a code span: outside one, Markdown turns every URL into a link that an operator might follow. */
export function asCode(text: string): string {
  const words = plainWords(text);
  return words === '' ? '' : `\`${words}\``;
}

/** `2026-11-22 07:10:03 UTC` */
export const plainTime = (time: Date): string => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const units = [
  { name: 'day', ms: 86_400_000 },
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1_000 },
] as const;

/** A duration in its largest unit: `3 hours`. */
export function plainDuration(durationMs: number): string {
  const unit = units.find(({ ms }) => durationMs >= ms) ?? units[3];
  const count = Math.max(0, Math.floor(durationMs / unit.ms));
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
