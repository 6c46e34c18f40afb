import {
  nameVehicle,
  type AllDetails,
  type Fact,
  type RetriedPart,
  type Sentences,
} from '../../../../features/items/rules/history-facts.ts';
import { waitWords } from '../../../../features/operations/rules/wait-words.ts';
import { tellDisabled } from '../words/delivery-failures.ts';
import { tellItemFailure } from '../words/item-failures.ts';
import { tellFields } from './field-names.ts';
import { imageFailureTexts } from './image-failures.ts';

/** The Swedish sentence of a fact. */
export function inSwedish<Kind extends Fact['kind']>({
  kind,
  details,
}: {
  kind: Kind;
  details: AllDetails[Kind];
}): string {
  return sentences[kind](details);
}

const rows = (count: number): string => (count === 1 ? '1 rad' : `${count} rader`);

/** An amount with a decimal comma, and with its own number of decimals. */
const kr = (amount: number | null): string => `${String(amount).replace('.', ',')} kr`;

const withoutPictures = ({ imagesRefused }: { readonly imagesRefused: boolean }): string =>
  imagesRefused ? ' Marknadsplatsen tog inte emot alla bilder.' : '';

const soldTwice = (otherOrderIds: readonly string[]): string =>
  otherOrderIds.length === 0
    ? ''
    : ` Artikeln har en annan pågående order (${otherOrderIds.join(', ')}): den är såld två gånger, och en order måste makuleras.`;

const retried: Readonly<Record<RetriedPart, string>> = {
  images: 'bilderna som misslyckades',
  publication: 'publiceringen som misslyckades',
  price: 'priset som misslyckades',
  enrichment: 'kompletteringen av artikeln',
  wait: 'det som artikeln väntar på',
};

const waits: Readonly<Record<string, string>> = waitWords.sv;

const times = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Stockholm',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
/** In Swedish time, as on every page. */
const readable = (time: string): string => times.format(new Date(time));

function waiting({ waitingFor, since, nextTryAt, lastError }: AllDetails['waiting']): string {
  const what = waits[waitingFor] ?? 'nästa försök';
  const parts = [
    `Väntar${since === null ? '' : ` sedan ${readable(since)}`} på ${what}`,
    ...(nextTryAt === null ? [] : [`nästa försök ${readable(nextTryAt)}`]),
    ...(lastError === null ? [] : [`senaste problem: ${tellItemFailure(lastError, 'sv').replace(/\.$/, '')}`]),
  ];
  return `${parts.join('; ')}.`;
}

function enriched(found: AllDetails['enriched']): string {
  switch (found.part) {
    case 'category':
      return `Artikelns kategori på marknadsplatsen valdes: ${found.categoryId}.`;
    case 'text':
      if (found.outcome === 'unanswered')
        return 'Titel och beskrivning är kvar som de skickades: AI-tjänsten svarade inte. Nytt försök görs vid nästa ändring.';
      return found.outcome === 'improved'
        ? 'Titel och beskrivning förbättrades.'
        : 'Titel och beskrivning behövde inte förbättras.';
    case 'vehicle':
      if (found.outcome === 'found')
        return `Märke, modell och årsmodell hämtades med registreringsnumret: ${nameVehicle(found)}.`;
      if (found.outcome === 'off')
        return 'Märke, modell och årsmodell saknas: uppslag i fordonsregistret är avstängda.';
      if (found.outcome === 'unknown')
        return 'Märke, modell och årsmodell saknas: fordonsregistret känner inte till registreringsnumret.';
      return found.outcome === 'unanswered'
        ? 'Märke, modell och årsmodell saknas: fordonsregistret svarade inte. Nytt försök görs vid nästa ändring.'
        : 'Märke, modell och årsmodell saknas: kvoten för uppslag i fordonsregistret är slut. Nytt försök görs vid nästa ändring.';
  }
}

const repriced = ({ price }: AllDetails['repriced']): string =>
  price === null ? 'Auktionens bevaknings- och köp nu-pris ändrades.' : `Auktionen ändrades: priset är ${kr(price)}.`;

function subscription({ before, tier, expiresAt, renews }: AllDetails['subscription_changed']): string {
  if (tier === 'free') return 'Pro har avslutats';
  const until = `betalt till och med ${expiresAt?.slice(0, 10) ?? 'nu'}`;
  if (before === 'free') return `Pro aktiverades, ${until}`;
  return renews ? `Pro är ${until}` : `Pro är ${until} och tar slut då`;
}

const sentences: Sentences = {
  created: ({ autoPublish }) => `Artikeln skapades${autoPublish ? ' och publiceras när bilderna är klara' : ''}.`,
  updated: ({ fields }) =>
    fields.length === 0
      ? 'Artikeln skickades igen; ett nytt försök görs med bilderna som misslyckades.'
      : `Artikeln ändrades: ${tellFields(fields, 'sv')}.`,
  price_changed: ({ from, to }) => `Priset ändrades från ${kr(from)} till ${kr(to)}.`,
  status_changed: ({ status }) => (status === 'sold' ? 'Artikeln markerades som såld.' : 'Artikeln togs ned.'),
  quantity_changed: ({ from, to }) =>
    from === null ? `Antalet sattes till ${to}.` : `Antalet ändrades från ${from} till ${to}.`,
  publish_requested: () => 'Publicering begärdes.',
  retry_requested: ({ parts }) => `Ett nytt försök begärdes: ${parts.map((part) => retried[part]).join(', ')}.`,
  deleted: ({ isArchived }) =>
    `Artikeln togs bort${isArchived ? ' och finns kvar som arkiverad, eftersom en order pågår' : ''}.`,
  images_ready: ({ hosted, total, failed, failures }) =>
    `${hosted} av ${total === 1 ? '1 bild' : `${total} bilder`} hämtades${failed === 0 ? '' : `, ${failed} misslyckades: ${failures.map((kind) => imageFailureTexts.sv[kind]).join('; ')}`}.`,
  enriched,
  published: ({ adId, ...pictures }) =>
    `Auktionen är uppe på marknadsplatsen med id ${adId}.${withoutPictures(pictures)}`,
  repriced,
  change_refused: ({ refusedPrice, keptPrice }) =>
    refusedPrice === null
      ? 'Inte ändrad: auktionen har bud, så bevaknings- och köp nu-pris står kvar. Ändringen sparas till nästa auktion.'
      : `${kr(refusedPrice)} nekades: auktionen har bud, så priset är kvar på ${kr(keptPrice)}.`,
  taken_down: ({ adId }) =>
    adId === null ? 'Auktionen togs ned.' : `Auktionen ${adId} finns inte längre på marknadsplatsen.`,
  take_down_refused: waiting,
  ended: ({ adId }) => `Auktionen ${adId} tog slut utan vinnare.`,
  relisted: ({ number, times, price }) =>
    `Artikeln läggs automatiskt upp igen, från ${kr(price)} (${number} av ${times}).`,
  sold: ({ adId, orderId, price, otherOrderIds }) =>
    adId === null
      ? `Artikeln såldes direkt för ${kr(price)} (${orderId}).`
      : `Auktionen ${adId} vanns för ${kr(price)}.${soldTwice(otherOrderIds)}`,
  paid: ({ orderId }) => `Ordern ${orderId} betalades.`,
  order_shipped: ({ orderId }) => `Ordern ${orderId} skickades.`,
  order_completed: ({ orderId }) => `Ordern ${orderId} avslutades.`,
  order_cancelled: ({ orderId }) => `Ordern ${orderId} makulerades; artikeln är såld tills den markeras som osåld.`,
  waiting,
  given_up: ({ cause, error }) => `Misslyckades: ${tellItemFailure(`${cause}: ${error}`, 'sv')}`,
  account_registered: () => 'Kontot skapades',
  signed_in: ({ address }) => `Inloggad från ${address}`,
  signed_out: () => 'Utloggad',
  session_reuse_detected: ({ address }) =>
    `En gammal inloggning användes igen från ${address} och avslutades: någon kan ha kopierat den`,
  sessions_ended: ({ sessionId }) =>
    sessionId === null ? 'Alla andra enheter loggades ut' : 'En enhet loggades ut från en annan enhet',
  password_changed: () => 'Lösenordet byttes och alla andra enheter loggades ut',
  password_reset: () => 'Ett nytt lösenord valdes via en länk i ett mejl, och alla enheter loggades ut',
  email_change_requested: ({ email }) => `Byte av e-postadress till ${email} begärdes`,
  email_confirmed: ({ email }) => `E-postadressen ${email} bekräftades`,
  email_changed: ({ email, former }) => `E-postadressen byttes från ${former} till ${email}`,
  notices_changed: () => 'Valen för mejl ändrades',
  account_suspended: () => 'Kontot stängdes av och alla enheter loggades ut',
  account_resumed: () => 'Kontot aktiverades igen',
  account_exported: ({ buyers }) =>
    `Kontots alla uppgifter lämnades ut, med köparna i ${buyers === 1 ? '1 order' : `${buyers} ordrar`}`,
  account_erased: ({ orders }) =>
    `Kontot raderades; ${orders === 1 ? '1 order' : `${orders} ordrar`} sparas för bokföringen`,
  operator_granted: () => 'Kontot fick driftbehörighet och ser var dess artiklar finns i arbetsflödesmotorn',
  operator_revoked: () => 'Kontot har inte längre driftbehörighet',
  api_key_generated: ({ name, prefix, lostPrefix }) =>
    lostPrefix === null
      ? `API-nyckeln ”${name}” (${prefix}…) skapades`
      : `API-nyckeln ”${name}” är nu ${prefix}…; ${lostPrefix}… gick förlorad på vägen`,
  api_key_revoked: ({ name, prefix }) => `API-nyckeln ”${name}” (${prefix}…) återkallades`,
  webhook_created: ({ origin }) => `En webhook till ${origin} skapades`,
  webhook_changed: ({ origin, fields }) => `Webhooken till ${origin} ändrades: ${tellFields(fields, 'sv')}`,
  webhook_enabled: ({ origin }) => `Webhooken till ${origin} aktiverades`,
  webhook_disabled: ({ origin, reason }) =>
    reason === null
      ? `Webhooken till ${origin} stängdes av`
      : `Webhooken till ${origin} stängdes av: ${tellDisabled(reason, 'sv')}`,
  webhook_deleted: ({ origin }) => `Webhooken till ${origin} togs bort`,
  webhook_secret_rotated: ({ origin }) => `Signeringshemligheten för webhooken till ${origin} byttes`,
  webhook_url_changed: ({ origin }) =>
    origin === null ? 'Kontots webhook-adress togs bort' : `Kontots webhook-adress ändrades till ${origin}`,
  webhook_url_secret_generated: () => 'En signeringshemlighet för kontots webhook-adress skapades',
  webhook_url_secret_rotated: () => 'Signeringshemligheten för kontots webhook-adress byttes',
  test_event_sent: () => 'En testhändelse skickades till en webhook',
  redelivery_requested: ({ eventType }) => `En händelse (${eventType}) skickades igen`,
  recovery_requested: ({ total, since }) =>
    `Omsändning av ${total} missade händelser sedan ${readable(since)} startade`,
  bulk_sync_accepted: ({ total }) => `En filimport med ${rows(total)} togs emot`,
  bulk_sync_cancelled: ({ total }) => `En filimport med ${rows(total)} stoppades`,
  marketplace_connected: ({ marketplaceUserId }) =>
    `Kontot anslöts till marknadsplatsen, som användaren ${marketplaceUserId}`,
  marketplace_reconnected: ({ marketplaceUserId }) =>
    `Kontot anslöts till marknadsplatsen igen, som användaren ${marketplaceUserId}`,
  listing_defaults_changed: ({ fields }) =>
    `Auktionsvillkoren ändrades: ${fields.length === 0 ? 'inga är angivna' : tellFields(fields, 'sv')}`,
  marketplace_removed: () => 'Anslutningen till marknadsplatsen togs bort och dess token raderades',
  marketplace_expired: () => 'Anslutningen till marknadsplatsen har gått ut; anslut igen',
  checkout_started: () => 'Ett köp av Pro påbörjades',
  subscription_changed: subscription,
  profile_changed: ({ slug, slugBefore }) =>
    slugBefore === null ? `Kontot har en publik sida, ${slug}` : `Den publika sidan ${slug} ändrades`,
  reseller_agreement_granted: ({ commissionBps, slug, directSalesMax }) =>
    `Kontot har ett återförsäljaravtal, med ${String(commissionBps / 100).replace('.', ',')} % provision och sidan ${slug}${
      directSalesMax === undefined
        ? ''
        : `; direktförsäljningar räknas utan bekräftelse upp till ${kr(directSalesMax)} per medlem och månad`
    }`,
  commission_confirmed: ({ orders, sales, owed }) =>
    `Provisionen på ${kr(owed)} för ${orders} ${orders === 1 ? 'direktförsäljning' : 'direktförsäljningar'} av en medlem, tillsammans ${kr(sales)}, bekräftades`,
  reseller_agreement_ended: ({ members }) =>
    `Återförsäljaravtalet upphörde, och med det medlemskapet för ${members} konton`,
  order_voided: ({ orderId, amount, ...whose }) =>
    `Supporten makulerade order ${orderId} på ${kr(amount)}${
      'memberUserId' in whose ? ' från en medlem: ingen provision ska betalas för den' : ', som inte räknas längre'
    }`,
  join_requested: (details) =>
    'resellerUserId' in details
      ? 'Kontot bad om att bli medlem hos en återförsäljare'
      : 'Ett konto bad om att bli medlem',
  join_request_ended: ({ isWithdrawn, ...whose }) =>
    'resellerUserId' in whose
      ? `Förfrågan om att bli medlem hos en återförsäljare ${isWithdrawn ? 'togs tillbaka' : 'avslogs'}`
      : `Ett kontos förfrågan om att bli medlem ${isWithdrawn ? 'togs tillbaka' : 'avslogs'}`,
  member_removed: (details) =>
    'memberUserId' in details
      ? `Medlemmen ${details.externalId} togs bort`
      : 'Återförsäljaren avslutade kontots medlemskap och kan inte längre agera åt det',
  member_joined: (details) =>
    'resellerUserId' in details
      ? 'Kontot blev medlem hos en återförsäljare, som nu får agera åt det'
      : 'Ett konto blev medlem',
  buyer_read: ({ orderId }) => `Köparens uppgifter i order ${orderId} visades`,
  buyer_erased: ({ orders }) =>
    `Uppgifterna om en köpare raderades ur ${orders === 1 ? '1 order' : `${orders} ordrar`}, på köparens begäran`,
  buyer_exported: ({ orders }) =>
    `Uppgifterna om en köpare i ${orders === 1 ? '1 order' : `${orders} ordrar`} lämnades ut, på köparens begäran`,
  order_sharing_changed: ({ isShared, ...whose }) =>
    'memberUserId' in whose
      ? `En medlem ${isShared ? 'delar sina ordrar och deras köpare med kontot' : 'delar inte längre sina ordrar'}`
      : `Ordrarna och deras köpare ${isShared ? 'delas' : 'delas inte längre'} med återförsäljaren`,
  members_invited: ({ members }) => `${members} ${members === 1 ? 'inbjudan' : 'inbjudningar'} skickades med e-post`,
  invitation_withdrawn: () => 'En inbjudan drogs tillbaka',
  member_renamed: ({ before, externalId, ...whose }) =>
    'resellerUserId' in whose
      ? `Återförsäljaren bytte sin referens för kontot från ${before} till ${externalId}`
      : `Referensen för medlemmen ${before} byttes till ${externalId}`,
  member_left: (details) => {
    if ('memberUserId' in details) return `Medlemmen ${details.externalId} avslutade sitt medlemskap`;
    return details.isAgreementEnded
      ? 'Återförsäljarens avtal upphörde, så den kan inte längre agera åt kontot'
      : 'Kontot lämnade sin återförsäljare, som inte längre kan agera åt det';
  },
};
