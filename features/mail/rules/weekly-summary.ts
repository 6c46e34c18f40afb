/** The figures of an account's last seven days, and what waits for its owner. */
export interface WeeklySummary {
  /** Orders of these days, without cancelled ones. */
  readonly orders: number;
  readonly amountKronor: number;
  /** Items that are for sale. */
  readonly activeItems: number;
  readonly blockedItems: number;
  readonly missedEvents: number;
  /** Paid orders that are not marked as shipped. */
  readonly ordersToShip: number;
}

/** No sales, and nothing waits, so no mail is sent. */
export const isQuiet = ({ orders, blockedItems, missedEvents, ordersToShip }: WeeklySummary): boolean =>
  orders + blockedItems + missedEvents + ordersToShip === 0;

export const summarisedMs = 7 * 86_400_000;

const hourMs = 3_600_000;
const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Stockholm',
  weekday: 'short',
  hour: '2-digit',
  hourCycle: 'h23',
});

/** The next Monday at seven in Stockholm, after `now`. Summer time begins and ends at night, so every week has one. */
export function nextSummaryAt(now: Date): Date {
  const at = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  do at.setTime(at.getTime() + hourMs);
  while (!isMondayAtSeven(at));
  return at;
}

function isMondayAtSeven(at: Date): boolean {
  const found = new Map(clock.formatToParts(at).map(({ type, value }) => [type, value]));
  return found.get('weekday') === 'Mon' && found.get('hour') === '07';
}
