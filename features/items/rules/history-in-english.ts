import { imageFailureInEnglish } from '../../images/rules/image-failure.ts';
import { textOfReason } from '../../operations/rules/reasons.ts';
import { nameVehicle, type AllDetails, type Fact, type RetriedPart, type Sentences } from './history-facts.ts';
import { counted } from '../../rules/counted.ts';

/**
 * The English sentence of a fact, for the HTTP interface. It is safe to show to the account whose log holds the fact.
 */
export function inEnglish<Kind extends Fact['kind']>({
  kind,
  details,
}: {
  kind: Kind;
  details: AllDetails[Kind];
}): string {
  return sentences[kind](details);
}

const withoutPictures = ({ imagesRefused }: { readonly imagesRefused: boolean }): string =>
  imagesRefused ? ' The marketplace did not take every picture.' : '';

const soldTwice = (otherOrderIds: readonly string[]): string =>
  otherOrderIds.length === 0
    ? ''
    : ` The item has another order in progress (${otherOrderIds.join(', ')}): it was sold twice, and one of them has to be cancelled.`;

const retried: Readonly<Record<RetriedPart, string>> = {
  images: 'the images that failed',
  publication: 'the publication that was given up',
  price: 'the price that was refused or given up',
  enrichment: 'what nobody answered',
  wait: 'what it waits for',
};

/** What ends a wait earlier than its next try. */
const helps: ReadonlyMap<string, string> = new Map([
  ['marketplace_connection', 'work goes on as soon as one is connected'],
  ['marketplace_reconnection', 'work goes on as soon as it is'],
  ['images', 'a push with other image URLs goes on at once, retry tries the same ones again'],
]);

const readable = (time: string): string => `${time.slice(0, 19)}Z`;

function waiting({ waitingFor, since, nextTryAt, lastError }: AllDetails['waiting']): string {
  const help = helps.get(waitingFor);
  const parts = [
    `Waiting${since === null ? '' : ` since ${readable(since)}`} for ${textOfReason(waitingFor).what}`,
    ...(help === undefined ? [] : [help]),
    ...(nextTryAt === null ? [] : [`next try at ${readable(nextTryAt)}`]),
    ...(lastError === null ? [] : [`last problem: ${lastError.replace(/\.$/, '')}`]),
  ];
  return `${parts.join('; ')}.`;
}

const onlyChange = 'It is asked again with the next change.';

function enriched(found: AllDetails['enriched']): string {
  switch (found.part) {
    case 'category':
      return `The item's category on the marketplace was chosen: ${found.categoryId}.`;
    case 'text':
      if (found.outcome === 'unanswered')
        return `Title and description stay as they were sent: no language model answered. ${onlyChange}`;
      return found.outcome === 'improved'
        ? 'Title and description were improved.'
        : 'Title and description need no improvement.';
    case 'vehicle':
      if (found.outcome === 'found') return `Make, model and year were found by the plate: ${nameVehicle(found)}.`;
      if (found.outcome === 'off') return 'Make, model and year were left out: this service looks up no plates.';
      if (found.outcome === 'unknown')
        return 'Make, model and year were left out: the vehicle registry does not know the plate.';
      return found.outcome === 'unanswered'
        ? `Make, model and year were left out: the vehicle registry did not answer. ${onlyChange}`
        : `Make, model and year were left out: no look-ups in the vehicle registry are left for now. ${onlyChange}`;
  }
}

const repriced = ({ price }: AllDetails['repriced']): string =>
  price === null ? "The auction's reserve and buy-now prices were set." : `The auction's price is ${price} SEK.`;

function subscription({ before, tier, expiresAt, renews }: AllDetails['subscription_changed']): string {
  if (tier === 'free') return 'The Pro plan has ended';
  const until = `paid until ${expiresAt?.slice(0, 10) ?? 'now'}`;
  if (before === 'free') return `The Pro plan has begun, ${until}`;
  return renews ? `The Pro plan is ${until}` : `The Pro plan is ${until} and ends then`;
}

const sentences: Sentences = {
  created: ({ autoPublish }) =>
    `The item was created${autoPublish ? ', to be published when its images are ready' : ''}.`,
  updated: ({ fields }) =>
    fields.length === 0
      ? 'The item was pushed again; its failed images are tried again.'
      : `The item was updated: ${fields.join(', ')}.`,
  price_changed: ({ from, to }) => `The price was changed from ${from} to ${to} SEK.`,
  status_changed: ({ status }) =>
    status === 'sold' ? 'The item was marked as sold.' : 'The item was taken off the service.',
  quantity_changed: ({ from, to }) =>
    from === null ? `The quantity was set to ${to}.` : `The quantity was changed from ${from} to ${to}.`,
  publish_requested: () => 'Publication was asked for.',
  retry_requested: ({ parts }) => `Another try was asked for: ${parts.map((part) => retried[part]).join(', ')}.`,
  deleted: ({ isArchived }) =>
    `The item was deleted${isArchived ? ' and is kept as archived, because an order is in progress' : ''}.`,
  images_ready: ({ hosted, total, failed, failures }) =>
    `${hosted} of ${counted(total, 'image')} ${total === 1 ? 'is' : 'are'} hosted${failed === 0 ? '' : `; ${failed} failed: ${failures.map((kind) => imageFailureInEnglish[kind]).join('; ')}`}.`,
  enriched,
  published: ({ adId, ...pictures }) =>
    `The auction is live on the marketplace as ${adId}.${withoutPictures(pictures)}`,
  repriced,
  change_refused: ({ refusedPrice, keptPrice }) =>
    refusedPrice === null
      ? 'Not changed: the auction has bids, so its reserve and buy-now prices stay; the change is kept for the next auction.'
      : `${refusedPrice} SEK was refused: the auction has bids, so its price stays ${keptPrice} SEK.`,
  taken_down: ({ adId }) =>
    adId === null ? 'The auction was taken down.' : `The auction ${adId} is no longer on the marketplace.`,
  take_down_refused: waiting,
  ended: ({ adId }) => `The auction ${adId} ended without a winner.`,
  relisted: ({ number, times, price }) =>
    `The item is put up again by itself, from ${price} SEK (${number} of ${times}).`,
  sold: ({ adId, orderId, price, otherOrderIds }) =>
    adId === null
      ? `The item was sold directly at ${price} SEK (${orderId}).`
      : `The auction ${adId} was won at ${price} SEK.${soldTwice(otherOrderIds)}`,
  paid: ({ orderId }) => `The order ${orderId} was paid.`,
  order_shipped: ({ orderId }) => `The order ${orderId} was sent.`,
  order_completed: ({ orderId }) => `The order ${orderId} was completed.`,
  order_cancelled: ({ orderId }) =>
    `The order ${orderId} was cancelled; the item stays sold until it is put on sale again.`,
  waiting,
  given_up: ({ cause, error }) => `Given up (${cause}): ${error}.`,
  account_registered: () => 'The account was registered',
  signed_in: ({ address }) => `Signed in from ${address}`,
  signed_out: () => 'Signed out',
  session_reuse_detected: ({ address }) =>
    `A refresh token was used a second time, from ${address}, so its session was ended: somebody may have copied it`,
  sessions_ended: ({ sessionId }) =>
    sessionId === null ? 'All other sessions were ended' : 'A session was ended from another one',
  password_changed: () => 'The password was changed, and all other sessions were ended',
  password_reset: () => 'A new password was set by the link of a mail, and all sessions were ended',
  email_change_requested: ({ email }) => `Another email address was asked for: ${email}`,
  email_confirmed: ({ email }) => `The email address ${email} was confirmed`,
  email_changed: ({ email, former }) => `The email address was changed from ${former} to ${email}`,
  notices_changed: () => 'The emails that the account gets were changed',
  account_suspended: () => 'The account was suspended, and its sessions were ended',
  account_resumed: () => 'The account is suspended no more',
  account_exported: ({ buyers }) =>
    `All that is stored of the account was handed out, with the buyers of ${counted(buyers, 'order')}`,
  account_erased: ({ orders }) => `The account was erased; ${counted(orders, 'order')} stay for the books`,
  operator_granted: () =>
    'The account is an operator: it is shown where the work of its items is in the workflow engine',
  operator_revoked: () => 'The account is no operator any more',
  api_key_generated: ({ name, prefix, lostPrefix }) =>
    lostPrefix === null
      ? `API key "${name}" (${prefix}…) was generated`
      : `API key "${name}" is ${prefix}… now; ${lostPrefix}… was lost on its way`,
  api_key_revoked: ({ name, prefix }) => `API key "${name}" (${prefix}…) was revoked`,
  webhook_created: ({ origin }) => `A webhook endpoint at ${origin} was created`,
  webhook_changed: ({ origin, fields }) => `The webhook endpoint at ${origin} was changed: ${fields.join(', ')}`,
  webhook_enabled: ({ origin }) => `The webhook endpoint at ${origin} was switched on`,
  webhook_disabled: ({ origin, reason }) => `The webhook endpoint at ${origin} was ${reason ?? 'switched off'}`,
  webhook_deleted: ({ origin }) => `The webhook endpoint at ${origin} was deleted`,
  webhook_secret_rotated: ({ origin }) => `The secret of the webhook endpoint at ${origin} was replaced`,
  webhook_url_changed: ({ origin }) =>
    origin === null
      ? "The account's webhook URL was removed"
      : `The account's webhook URL was set, to an address at ${origin}`,
  webhook_url_secret_generated: () => "The secret of the account's webhook URL was made",
  webhook_url_secret_rotated: () => "The secret of the account's webhook URL was replaced",
  test_event_sent: () => 'A test event was sent to a webhook endpoint',
  redelivery_requested: ({ eventType }) => `An ${eventType} event was asked to be delivered again`,
  recovery_requested: ({ total, since }) =>
    `${counted(total, 'missed event')} since ${since} ${total === 1 ? 'was' : 'were'} asked to be delivered again`,
  bulk_sync_accepted: ({ total }) => `A bulk sync of ${counted(total, 'line')} was accepted`,
  bulk_sync_cancelled: ({ total }) => `A bulk sync of ${counted(total, 'line')} was cancelled`,
  marketplace_connected: ({ marketplaceUserId }) =>
    `The account was connected to the marketplace, as its user ${marketplaceUserId}`,
  marketplace_reconnected: ({ marketplaceUserId }) =>
    `The account was connected to the marketplace again, as its user ${marketplaceUserId}`,
  marketplace_removed: () => 'The connection to the marketplace was removed and its token forgotten',
  listing_defaults_changed: ({ fields }) =>
    `The terms of the account's auctions were changed: ${fields.length === 0 ? 'none are set' : fields.join(', ')}`,
  marketplace_expired: () => 'The marketplace no longer accepts the token; connect again',
  checkout_started: () => 'A checkout of the Pro plan was started',
  subscription_changed: subscription,
  profile_changed: ({ slug, slugBefore }) =>
    slugBefore === null ? `The account has a public page, ${slug}` : `The public page ${slug} was changed`,
  reseller_agreement_granted: ({ commissionBps, slug, directSalesMax }) =>
    `The account has a reseller agreement, with a commission of ${commissionBps / 100} % and the page ${slug}${
      directSalesMax === undefined
        ? ''
        : `; ${directSalesMax} SEK of direct sales a member and month count by themselves`
    }`,
  commission_confirmed: ({ orders, sales, owed }) =>
    `The commission of ${owed} SEK on ${counted(orders, 'direct sale')} of a member, ${sales} SEK together, was confirmed`,
  reseller_agreement_ended: ({ members }) =>
    `The reseller agreement ended, and with it the membership of ${counted(members, 'account')}`,
  order_voided: ({ orderId, amount, ...whose }) =>
    `The operator of the service cancelled the order ${orderId} of ${amount} SEK${
      'memberUserId' in whose ? ' of a member: no commission is owed on it' : ': it is in no sum any more'
    }`,
  join_requested: (details) =>
    'resellerUserId' in details
      ? 'The account asked to become the member of a reseller'
      : 'An account asked to become a member',
  join_request_ended: ({ isWithdrawn, ...whose }) =>
    'resellerUserId' in whose
      ? `The request to become the member of a reseller was ${isWithdrawn ? 'withdrawn' : 'declined by it'}`
      : `The request of an account to become a member was ${isWithdrawn ? 'withdrawn' : 'declined'}`,
  member_removed: (details) =>
    'memberUserId' in details
      ? `The member ${details.externalId} was removed`
      : 'The reseller ended the membership of this account, and can no longer act for it',
  member_joined: (details) =>
    'resellerUserId' in details
      ? 'The account became the member of a reseller, which may act for it from now on'
      : 'An account became a member',
  buyer_read: ({ orderId }) => `The data of the buyer of order ${orderId} were read`,
  buyer_erased: ({ orders }) =>
    `The data of a buyer were erased from ${counted(orders, 'order')}, as the buyer had asked`,
  buyer_exported: ({ orders }) =>
    `The data of a buyer of ${counted(orders, 'order')} were handed out, as the buyer had asked`,
  order_sharing_changed: ({ isShared, ...whose }) =>
    'memberUserId' in whose
      ? `A member ${isShared ? 'shares its orders and their buyers with the account' : 'shares its orders no more'}`
      : `The orders and their buyers are ${isShared ? 'shared' : 'no longer shared'} with the reseller`,
  members_invited: ({ members }) => `${members} ${members === 1 ? 'invitation was' : 'invitations were'} sent by email`,
  invitation_withdrawn: () => 'An invitation was withdrawn',
  member_renamed: ({ before, externalId, ...whose }) =>
    'resellerUserId' in whose
      ? `Your reseller changed its reference for this account from ${before} to ${externalId}`
      : `The reference of the member ${before} was changed to ${externalId}`,
  member_left: (details) => {
    if ('memberUserId' in details) return `The member ${details.externalId} left`;
    return details.isAgreementEnded
      ? 'The agreement of the reseller ended, so it can no longer act for this account'
      : 'The account left its reseller, which can no longer act for it';
  },
};
