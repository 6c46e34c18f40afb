const lengthMax = 300;
/** More is never looked at: a server's whole error page may come as a message. */
const lookedAtMax = 2_000;

/**
 * Somebody else's words (an error message) made fit to be shown to an operator inside Markdown: on one line, shortened, without
 * what an address may carry beside its host and path (user, password, query), and without marks that would be taken for Markdown.
 */
export function plainWords(text: string): string {
  const line = beginning(text)
    .replace(/\s+/g, ' ')
    .replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)([^\s/?#@]*@)?([^\s?#]*)([?#]\S*)?/gi, '$1$3')
    .replace(/\b(sk_live_|whsec_|Bearer )[\w+/=.-]+/g, '$1…')
    .replace(/[`*[\]<>|\\#]/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  return line.length <= lengthMax ? line : `${line.slice(0, lengthMax - 1)}…`;
}

/** Ends at a word's end if it can: of an address that is cut, the password could stay. */
function beginning(text: string): string {
  if (text.length <= lookedAtMax) return text;
  const start = text.slice(0, lookedAtMax);
  const lastSpace = start.lastIndexOf(' ');
  return lastSpace > 0 ? start.slice(0, lastSpace) : start;
}

/** The same as a span of code: elsewhere Markdown makes a link of every address that it finds, for operators to follow. */
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

/** In its largest unit: `3 hours`. */
export function plainDuration(durationMs: number): string {
  const unit = units.find(({ ms }) => durationMs >= ms) ?? units[3];
  const count = Math.max(0, Math.floor(durationMs / unit.ms));
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`;
}
