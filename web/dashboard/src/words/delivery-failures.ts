import type { Language } from '../i18n/languages.ts';
import { tellByRules, type Rule } from './tell-by-rules.ts';

/** Why a receiver did not accept an event. A status alone has no sentence, because it is shown next to it. */
const failures: readonly Rule[] = [
  [/^HTTP 410/, 'mottagaren vill inte ha fler händelser (HTTP 410)', 'the receiver wants no more events (HTTP 410)'],
  [
    /^HTTP (3\d\d)/,
    'mottagaren omdirigerar (HTTP $1); omdirigeringar följs inte',
    'the receiver redirects (HTTP $1); redirects are not followed',
  ],
  [/^HTTP (2\d\d), but/, 'svaret (HTTP $1) avbröts', 'the response (HTTP $1) was cut off'],
  [/^HTTP (\d{3})/, 'mottagaren svarade HTTP $1', 'the receiver responded with HTTP $1'],
  [/^did not answer within (\d+) seconds/, 'inget svar inom $1 sekunder', 'no response within $1 seconds'],
  [/^no answer in time/, 'inget svar i tid', 'no response in time'],
  [/^only HTTPS/, 'adressen måste börja med https', 'the URL must start with https'],
  [/^not a valid address/, 'adressen är inte giltig', 'the URL is not valid'],
  [/^connection refused/, 'mottagaren avvisade anslutningen', 'the receiver refused the connection'],
  [/^host name/, 'servernamnet hittades inte', 'the host name was not found'],
  [/^(?:host|network) is unreachable/, 'servern går inte att nå', 'the server can’t be reached'],
  [/^no connection in time/, 'anslutningen tog för lång tid', 'connecting took too long'],
  [/^TLS certificate not trusted/, 'serverns certifikat är inte giltigt', 'the server’s certificate is not valid'],
  [/^TLS connection failed/, 'den krypterade anslutningen misslyckades', 'the encrypted connection failed'],
  [
    /^connection was closed/,
    'anslutningen bröts innan svaret var klart',
    'the connection closed before the response was complete',
  ],
  [/^answer (?:is|has)/, 'svaret gick inte att läsa', 'the response couldn’t be read'],
  [/^interrupted/, 'försöket avbröts hos oss', 'the attempt was interrupted on our side'],
  [/address|public/, 'adressen är inte öppen på internet', 'the address is not public'],
];

const unknown: Readonly<Record<Language, string>> = { sv: 'anslutningen misslyckades', en: 'the connection failed' };

/** Why an attempt failed, from its `errorMessage`, without the full stop. */
export const tellDeliveryFailure = (error: string, language: Language): string =>
  tellByRules(failures, error, language) ?? unknown[language];

/** The part of the error that the status next to it does not say. */
export const tellBeyondStatus = (error: string | null, language: Language): string | null =>
  error === null || /^HTTP \d{3}$/.test(error) ? null : tellDeliveryFailure(error, language);

const stops: readonly Rule[] = [
  [/^(\d+) in a row did not get through/, '$1 i följd misslyckades', '$1 in a row failed'],
  [/^there is no such endpoint/, 'webhooken är borttagen', 'the webhook was removed'],
  [/^the endpoint was disabled/, 'webhooken är avstängd', 'the webhook is disabled'],
  [/^autoRecover was switched off/, 'automatisk omsändning stängdes av', 'automatic resending was turned off'],
];

const stopped: Readonly<Record<Language, string>> = { sv: 'stoppad', en: 'stopped' };

/** Why a recovery was stopped, from its `stoppedBecause`. */
export const tellRecoveryStop = (because: string, language: Language): string =>
  tellByRules(stops, because, language) ?? stopped[language];

/** Why the service disabled a webhook, from `disabledReason`. */
export function tellDisabled(reason: string, language: Language): string {
  const [, count = '15', error] = /after (\d+) deliveries.*?(?:the last error was: (.*))?$/s.exec(reason) ?? [];
  const last = error === undefined ? '' : `: ${tellDeliveryFailure(error, language)}`;
  return language === 'sv'
    ? `${count} leveranser i följd misslyckades${last}`
    : `${count} deliveries in a row failed${last}`;
}
