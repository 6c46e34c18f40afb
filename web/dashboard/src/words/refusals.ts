import type { RefusalCode } from '../../../../features/rules/errors.ts';
import type { Language } from '../i18n/languages.ts';

/** Why a call had no effect, by the code of the answer. A new code does not compile without sentences. */
export const refusalTexts: Readonly<Record<Language, Readonly<Record<RefusalCode, string>>>> = {
  sv: {
    VALIDATION_FAILED: 'Några uppgifter saknas eller är inte giltiga.',
    BAD_REQUEST: 'Uppgifterna kunde inte läsas.',
    UNAUTHORIZED: 'Sessionen har upphört. Logga in igen.',
    PARTNER_ACCOUNT_FORBIDDEN: 'Medlemmen delar inte sina ordrar med dig. Det kan bara medlemmen själv ändra.',
    RESELLER_AGREEMENT_REQUIRED: 'Det här kräver ett återförsäljaravtal.',
    SANDBOX_ONLY: 'Det här går bara med en testnyckel.',
    ACCOUNT_SUSPENDED: 'Kontot är avstängt. Kontakta supporten.',
    ORIGIN_FORBIDDEN: 'Sidan öppnades från en annan adress. Ladda om sidan och försök igen.',
    KEY_SCOPE_MISSING: 'API-nyckeln saknar behörighet för det här.',
    KEY_ADDRESS_FORBIDDEN: 'API-nyckeln får inte användas från den här IP-adressen.',
    QUOTA_EXCEEDED: 'Kontots utrymme är fullt. Se Abonnemang.',
    NOT_FOUND: 'Hittades inte. Det kan vara borttaget eller tillhöra ett annat konto.',
    METHOD_NOT_ALLOWED: 'Det här går inte att göra.',
    CONFLICT: 'Det går inte just nu. Något annat pågår eller har ändrats; ladda om sidan och försök igen.',
    ALREADY_CONNECTED: 'Kontot är redan medlem hos en annan återförsäljare.',
    REFERENCE_TAKEN: 'En annan medlem har redan den referensen.',
    REQUEST_IN_PROGRESS: 'Samma sak pågår redan. Vänta en stund och försök igen.',
    REQUEST_TIMEOUT: 'Överföringen tog för lång tid. Försök igen.',
    GONE: 'Uppgifterna finns inte längre.',
    PRECONDITION_FAILED: 'Uppgifterna har ändrats sedan sidan laddades. Ladda om och försök igen.',
    PRECONDITION_REQUIRED: 'Ladda om sidan och försök igen.',
    PAYLOAD_TOO_LARGE: 'Det du skickade är för stort.',
    UNSUPPORTED_MEDIA_TYPE: 'Filens format stöds inte.',
    RANGE_NOT_SATISFIABLE: 'Filen kunde inte laddas ner.',
    EXPECTATION_FAILED: 'Anropet stöds inte.',
    RATE_LIMITED: 'För många anrop på kort tid. Vänta en stund och försök igen.',
    HEADERS_TOO_LARGE: 'Webbläsaren skickade för mycket data. Rensa kakor för sidan och försök igen.',
    UNAVAILABLE: 'Tjänsten är tillfälligt otillgänglig. Försök igen om en stund.',
    INTERNAL: 'Något gick fel hos oss. Försök igen, och kontakta supporten med ärende-id:t om felet kvarstår.',
  },
  en: {
    VALIDATION_FAILED: 'Some details are missing or not valid.',
    BAD_REQUEST: 'The details couldn’t be read.',
    UNAUTHORIZED: 'Your session has expired. Sign in again.',
    PARTNER_ACCOUNT_FORBIDDEN: 'The member doesn’t share their orders with you. Only the member can change that.',
    RESELLER_AGREEMENT_REQUIRED: 'This requires a reseller agreement.',
    SANDBOX_ONLY: 'This only works with a test key.',
    ACCOUNT_SUSPENDED: 'This account is suspended. Please contact support.',
    ORIGIN_FORBIDDEN: 'The page was opened from another address. Reload it and try again.',
    KEY_SCOPE_MISSING: 'The API key doesn’t have permission for this.',
    KEY_ADDRESS_FORBIDDEN: 'The API key can’t be used from this IP address.',
    QUOTA_EXCEEDED: 'The account’s storage is full. See Subscription.',
    NOT_FOUND: 'Not found. It may have been deleted or belong to another account.',
    METHOD_NOT_ALLOWED: 'This can’t be done.',
    CONFLICT:
      'This can’t be done right now. Something else is in progress or has changed; reload the page and try again.',
    ALREADY_CONNECTED: 'The account is already a member of another reseller.',
    REFERENCE_TAKEN: 'Another member already has this reference.',
    REQUEST_IN_PROGRESS: 'The same thing is already in progress. Wait a moment and try again.',
    REQUEST_TIMEOUT: 'The transfer took too long. Try again.',
    GONE: 'This is no longer available.',
    PRECONDITION_FAILED: 'Something has changed since the page was loaded. Reload it and try again.',
    PRECONDITION_REQUIRED: 'Reload the page and try again.',
    PAYLOAD_TOO_LARGE: 'What you sent is too large.',
    UNSUPPORTED_MEDIA_TYPE: 'The file format is not supported.',
    RANGE_NOT_SATISFIABLE: 'The file couldn’t be downloaded.',
    EXPECTATION_FAILED: 'The request is not supported.',
    RATE_LIMITED: 'Too many requests in a short time. Wait a moment and try again.',
    HEADERS_TOO_LARGE: 'The browser sent too much data. Clear the cookies for this site and try again.',
    UNAVAILABLE: 'The service is temporarily unavailable. Try again in a moment.',
    INTERNAL:
      'Something went wrong on our side. Try again, and contact support with the request id if it keeps happening.',
  },
};

type Codes = Readonly<Record<string, string | undefined>>;

/** The sentence of a code in an answer; undefined for an unknown code. */
export const tellRefusal = (words: Codes, code: string | undefined): string | undefined =>
  code !== undefined && Object.hasOwn(words, code) ? words[code] : undefined;

/** Why a line of a file was refused, when no field of it is named. */
export function tellLineError(code: string | undefined, language: Language): string {
  const line = Object.hasOwn(lineTexts[language], code ?? '') ? lineTexts[language][code ?? ''] : undefined;
  return line ?? tellRefusal(refusalTexts[language], code) ?? refusalTexts[language].VALIDATION_FAILED;
}

/** The meaning of a code for a line. */
const lineTexts: Readonly<Record<Language, Codes>> = {
  sv: {
    BAD_REQUEST: 'Raden är inte giltig JSON.',
    UNAUTHORIZED: 'API-nyckeln är återkallad.',
    PARTNER_ACCOUNT_FORBIDDEN: 'Du har inte behörighet att göra det här åt medlemmen.',
    NOT_FOUND: 'Artikeln finns inte.',
    INTERNAL: 'Något gick fel hos oss. Skicka raden igen.',
    PAYLOAD_TOO_LARGE: 'Raden är för lång.',
  },
  en: {
    BAD_REQUEST: 'The line is not valid JSON.',
    UNAUTHORIZED: 'The API key has been revoked.',
    PARTNER_ACCOUNT_FORBIDDEN: 'You don’t have permission to do this for the member.',
    NOT_FOUND: 'The item doesn’t exist.',
    INTERNAL: 'Something went wrong on our side. Send the line again.',
    PAYLOAD_TOO_LARGE: 'The line is too long.',
  },
};
