import type { Language } from './language.ts';

/** The page runs nothing, and loads and sends nothing elsewhere. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Of every HTML answer under /p: what it says depends on who asks. */
export const pageHeaders = (language: Language): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  'Content-Language': language,
  'Content-Security-Policy': policy,
  'Cross-Origin-Resource-Policy': 'same-origin',
  // With no-referrer browsers would hide the origin of our own forms, too.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
});
