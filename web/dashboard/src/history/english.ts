import { counted } from '../../../../features/rules/counted.ts';
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

/** The English sentence of a fact. */
export function inEnglish<Kind extends Fact['kind']>({
  kind,
  details,
}: {
  kind: Kind;
  details: AllDetails[Kind];
}): string {
  return sentences[kind](details);
}

const sek = (amount: number | null): string => `SEK ${String(amount)}`;

const withoutPictures = ({ imagesRefused }: { readonly imagesRefused: boolean }): string =>
  imagesRefused ? ' The marketplace did not accept all images.' : '';

const soldTwice = (otherOrderIds: readonly string[]): string =>
  otherOrderIds.length === 0
    ? ''
    : ` The item has another order in progress (${otherOrderIds.join(', ')}): it has been sold twice, and one order has to be cancelled.`;

const retried: Readonly<Record<RetriedPart, string>> = {
  images: 'failed images',
  publication: 'the failed publishing',
  price: 'the price that failed',
  enrichment: 'enriching the item',
  wait: 'what the item is waiting for',
};

const waits: Readonly<Record<string, string>> = waitWords.en;

const times = new Intl.DateTimeFormat('en-GB', {
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
  const parts = [
    `Waiting${since === null ? '' : ` since ${readable(since)}`} for ${waits[waitingFor] ?? 'the next attempt'}`,
    ...(nextTryAt === null ? [] : [`next attempt ${readable(nextTryAt)}`]),
    ...(lastError === null ? [] : [`last problem: ${tellItemFailure(lastError, 'en').replace(/\.$/, '')}`]),
  ];
  return `${parts.join('; ')}.`;
}

function enriched(found: AllDetails['enriched']): string {
  switch (found.part) {
    case 'category':
      return `The item’s marketplace category was chosen: ${found.categoryId}.`;
    case 'text':
      if (found.outcome === 'unanswered')
        return 'Title and description are unchanged: the AI service did not respond. We’ll retry with the next change.';
      return found.outcome === 'improved'
        ? 'Title and description were improved.'
        : 'Title and description needed no improvement.';
    case 'vehicle':
      if (found.outcome === 'found')
        return `Make, model and year were looked up by registration number: ${nameVehicle(found)}.`;
      if (found.outcome === 'off') return 'Make, model and year are missing: vehicle look-ups are turned off.';
      if (found.outcome === 'unknown')
        return 'Make, model and year are missing: the vehicle registry doesn’t know the registration number.';
      return found.outcome === 'unanswered'
        ? 'Make, model and year are missing: the vehicle registry did not respond. We’ll retry with the next change.'
        : 'Make, model and year are missing: the quota for vehicle look-ups is used up. We’ll retry with the next change.';
  }
}

const repriced = ({ price }: AllDetails['repriced']): string =>
  price === null
    ? 'The reserve and buy-now prices of the auction were updated.'
    : `The auction was updated: the price is ${sek(price)}.`;

function subscription({ before, tier, expiresAt, renews }: AllDetails['subscription_changed']): string {
  if (tier === 'free') return 'Pro has ended';
  const until = `paid until ${expiresAt?.slice(0, 10) ?? 'now'}`;
  if (before === 'free') return `Pro was activated, ${until}`;
  return renews ? `Pro is ${until}` : `Pro is ${until} and then ends`;
}

const sentences: Sentences = {
  created: ({ autoPublish }) =>
    `The item was created${autoPublish ? ' and will be published when its images are ready' : ''}.`,
  updated: ({ fields }) =>
    fields.length === 0
      ? 'The item was sent again; failed images are being retried.'
      : `The item was updated: ${tellFields(fields, 'en')}.`,
  price_changed: ({ from, to }) => `The price was changed from ${sek(from)} to ${sek(to)}.`,
  status_changed: ({ status }) => (status === 'sold' ? 'The item was marked as sold.' : 'The item was taken down.'),
  quantity_changed: ({ from, to }) =>
    from === null ? `The quantity was set to ${to}.` : `The quantity was changed from ${from} to ${to}.`,
  publish_requested: () => 'Publishing was requested.',
  retry_requested: ({ parts }) => `A retry was requested: ${parts.map((part) => retried[part]).join(', ')}.`,
  deleted: ({ isArchived }) =>
    `The item was deleted${isArchived ? ' and is kept as archived because an order is in progress' : ''}.`,
  images_ready: ({ hosted, total, failed, failures }) =>
    `${hosted} of ${counted(total, 'image')} ${total === 1 ? 'was' : 'were'} fetched${failed === 0 ? '' : `, ${failed} failed: ${failures.map((kind) => imageFailureTexts.en[kind]).join('; ')}`}.`,
  enriched,
  published: ({ adId, ...pictures }) =>
    `The auction is live on the marketplace with id ${adId}.${withoutPictures(pictures)}`,
  repriced,
  change_refused: ({ refusedPrice, keptPrice }) =>
    refusedPrice === null
      ? 'Not changed: the auction has bids, so its reserve and buy-now prices stay. The change is saved for the next auction.'
      : `${sek(refusedPrice)} was rejected: the auction has bids, so the price stays at ${sek(keptPrice)}.`,
  taken_down: ({ adId }) =>
    adId === null ? 'The auction was taken down.' : `The auction ${adId} is no longer on the marketplace.`,
  take_down_refused: waiting,
  ended: ({ adId }) => `The auction ${adId} ended without a winner.`,
  relisted: ({ number, times: total, price }) =>
    `The item is automatically relisted, from ${sek(price)} (${number} of ${total}).`,
  sold: ({ adId, orderId, price, otherOrderIds }) =>
    adId === null
      ? `The item was sold directly for ${sek(price)} (${orderId}).`
      : `The auction ${adId} was won for ${sek(price)}.${soldTwice(otherOrderIds)}`,
  paid: ({ orderId }) => `Order ${orderId} was paid.`,
  order_shipped: ({ orderId }) => `Order ${orderId} was shipped.`,
  order_completed: ({ orderId }) => `Order ${orderId} was completed.`,
  order_cancelled: ({ orderId }) => `Order ${orderId} was cancelled; the item stays sold until it is marked as unsold.`,
  waiting,
  given_up: ({ cause, error }) => `Failed: ${tellItemFailure(`${cause}: ${error}`, 'en')}`,
  account_registered: () => 'The account was registered',
  signed_in: ({ address }) => `Signed in from ${address}`,
  signed_out: () => 'Signed out',
  session_reuse_detected: ({ address }) =>
    `An old sign-in was used again from ${address} and was ended: someone may have copied it`,
  sessions_ended: ({ sessionId }) =>
    sessionId === null ? 'All other devices were signed out' : 'A device was signed out from another device',
  password_changed: () => 'The password was changed and all other devices were signed out',
  password_reset: () => 'A new password was chosen through a link in an email, and all devices were signed out',
  email_change_requested: ({ email }) => `A change of email address to ${email} was requested`,
  email_confirmed: ({ email }) => `The email address ${email} was confirmed`,
  email_changed: ({ email, former }) => `The email address was changed from ${former} to ${email}`,
  notices_changed: () => 'Email preferences were changed',
  account_suspended: () => 'The account was suspended and all devices were signed out',
  account_resumed: () => 'The account was reactivated',
  account_exported: ({ buyers }) =>
    `All of the account’s data were handed out, with the buyers of ${counted(buyers, 'order')}`,
  account_erased: ({ orders }) => `The account was erased; ${counted(orders, 'order')} kept for bookkeeping`,
  operator_granted: () => 'Operator access was granted: the account sees where its items are in the workflow engine',
  operator_revoked: () => 'Operator access was revoked',
  api_key_generated: ({ name, prefix, lostPrefix }) =>
    lostPrefix === null
      ? `API key “${name}” (${prefix}…) was created`
      : `API key “${name}” is now ${prefix}…; ${lostPrefix}… was lost in transit`,
  api_key_revoked: ({ name, prefix }) => `API key “${name}” (${prefix}…) was revoked`,
  webhook_created: ({ origin }) => `A webhook to ${origin} was created`,
  webhook_changed: ({ origin, fields }) => `The webhook to ${origin} was changed: ${tellFields(fields, 'en')}`,
  webhook_enabled: ({ origin }) => `The webhook to ${origin} was enabled`,
  webhook_disabled: ({ origin, reason }) =>
    reason === null
      ? `The webhook to ${origin} was disabled`
      : `The webhook to ${origin} was disabled: ${tellDisabled(reason, 'en')}`,
  webhook_deleted: ({ origin }) => `The webhook to ${origin} was removed`,
  webhook_secret_rotated: ({ origin }) => `The signing secret of the webhook to ${origin} was replaced`,
  webhook_url_changed: ({ origin }) =>
    origin === null ? 'The account webhook URL was removed' : `The account webhook URL was changed to ${origin}`,
  webhook_url_secret_generated: () => 'A signing secret for the account webhook URL was created',
  webhook_url_secret_rotated: () => 'The signing secret for the account webhook URL was replaced',
  test_event_sent: () => 'A test event was sent to a webhook',
  redelivery_requested: ({ eventType }) => `An event (${eventType}) was resent`,
  recovery_requested: ({ total, since }) => `Resending of ${total} missed events since ${readable(since)} was started`,
  bulk_sync_accepted: ({ total }) => `A file import of ${counted(total, 'line')} was received`,
  bulk_sync_cancelled: ({ total }) => `A file import of ${counted(total, 'line')} was stopped`,
  marketplace_connected: ({ marketplaceUserId }) =>
    `The account was connected to the marketplace as user ${marketplaceUserId}`,
  marketplace_reconnected: ({ marketplaceUserId }) =>
    `The account was reconnected to the marketplace as user ${marketplaceUserId}`,
  marketplace_removed: () => 'The marketplace connection was removed and its token deleted',
  listing_defaults_changed: ({ fields }) =>
    `The auction terms were changed: ${fields.length === 0 ? 'none are set' : tellFields(fields, 'en')}`,
  marketplace_expired: () => 'The marketplace connection has expired; reconnect',
  checkout_started: () => 'A purchase of Pro was started',
  subscription_changed: subscription,
  profile_changed: ({ slug, slugBefore }) =>
    slugBefore === null ? `The account has a public page, ${slug}` : `The public page ${slug} was changed`,
  reseller_agreement_granted: ({ commissionBps, slug, directSalesMax }) =>
    `The account has a reseller agreement with ${commissionBps / 100}% commission and the page ${slug}${
      directSalesMax === undefined
        ? ''
        : `; direct sales count without confirmation up to ${sek(directSalesMax)} per member and month`
    }`,
  commission_confirmed: ({ orders, sales, owed }) =>
    `The commission of ${sek(owed)} on ${counted(orders, 'direct sale')} by a member, ${sek(sales)} in total, was confirmed`,
  reseller_agreement_ended: ({ members }) =>
    `The reseller agreement ended, and with it the membership of ${members} accounts`,
  order_voided: ({ orderId, amount, ...whose }) =>
    `Support cancelled order ${orderId} of ${sek(amount)}${
      'memberUserId' in whose ? ', made by a member: no commission is due on it' : ', which no longer counts'
    }`,
  join_requested: (details) =>
    'resellerUserId' in details
      ? 'The account asked to become a member of a reseller'
      : 'An account asked to become a member',
  join_request_ended: ({ isWithdrawn, ...whose }) =>
    'resellerUserId' in whose
      ? `The request to become a member of a reseller was ${isWithdrawn ? 'withdrawn' : 'declined'}`
      : `A request from an account to become a member was ${isWithdrawn ? 'withdrawn' : 'declined'}`,
  member_removed: (details) =>
    'memberUserId' in details
      ? `The member ${details.externalId} was removed`
      : 'The reseller ended the membership of this account and can no longer act for it',
  member_joined: (details) =>
    'resellerUserId' in details
      ? 'The account became a member of a reseller, which can now act on its behalf'
      : 'An account became a member',
  members_invited: ({ members }) => `${members} ${members === 1 ? 'invitation was' : 'invitations were'} sent by email`,
  invitation_withdrawn: () => 'An invitation was withdrawn',
  buyer_read: ({ orderId }) => `The buyer’s details for order ${orderId} were viewed`,
  buyer_erased: ({ orders }) => `A buyer’s details were erased from ${counted(orders, 'order')} at the buyer’s request`,
  buyer_exported: ({ orders }) =>
    `A buyer’s details from ${counted(orders, 'order')} were handed out at the buyer’s request`,
  order_sharing_changed: ({ isShared, ...whose }) =>
    'memberUserId' in whose
      ? `A member ${isShared ? 'shares its orders and their buyers with the account' : 'no longer shares its orders'}`
      : `The orders and their buyers are ${isShared ? 'shared' : 'no longer shared'} with the reseller`,
  member_renamed: ({ before, externalId, ...whose }) =>
    'resellerUserId' in whose
      ? `Your reseller changed its reference for this account from ${before} to ${externalId}`
      : `The reference of the member ${before} was changed to ${externalId}`,
  member_left: (details) => {
    if ('memberUserId' in details) return `The member ${details.externalId} left`;
    return details.isAgreementEnded
      ? 'The reseller’s agreement ended, so it can no longer act for this account'
      : 'The account left its reseller, which can no longer act for it';
  },
};
