import type { Language } from './language.ts';

/** The page runs no script, and loads and sends nothing outside this host. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** Headers of every HTML answer under /p; its content depends on the visitor. */
export const pageHeaders = (language: Language): Readonly<Record<string, string>> => ({
  'Cache-Control': 'no-store',
  'Content-Language': language,
  'Content-Security-Policy': policy,
  'Cross-Origin-Resource-Policy': 'same-origin',
  // With no-referrer, browsers would also hide the origin of our own forms.
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
});
