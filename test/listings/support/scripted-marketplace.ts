import type {
  Auction,
  PriceChange,
  PriceOutcome,
  RemovalOutcome,
  RequestResult,
} from '../../../gateways/marketplace/port.ts';
import { FakeMarketplace } from '../../../verification/model/support/fake-marketplace.ts';

interface Answers {
  readonly commit: undefined;
  readonly readResult: RequestResult;
  readonly readAuction: Auction | null;
  readonly readRunning: readonly Auction[];
  readonly setPrices: PriceOutcome;
  readonly remove: RemovalOutcome;
}
type Scripted = keyof Answers;

interface Answer {
  readonly method: Scripted;
  readonly give: () => Promise<unknown>;
  times: number;
}

/** The marketplace in memory, with a list of the calls it got and answers that a test puts in place of its own. */
export class ScriptedMarketplace extends FakeMarketplace {
  /** What was called with which id, oldest first. */
  readonly calls: { readonly method: Scripted; readonly id: string }[] = [];
  readonly #script: Answer[] = [];

  /** What the next calls of a method get, without any effect; an error is thrown. */
  answer<Method extends Scripted>(method: Method, given: Answers[Method] | Error, times = 1): void {
    const give = (): Promise<unknown> => (given instanceof Error ? Promise.reject(given) : Promise.resolve(given));
    this.#script.push({ method, give, times });
  }

  /** Ids with which a method was called, oldest first. */
  callsOf(method: Scripted): readonly string[] {
    return this.calls.filter((call) => call.method === method).map(({ id }) => id);
  }

  override commit(seller: unknown, requestId: string): Promise<void> {
    return this.#take('commit', requestId, () => super.commit(seller, requestId));
  }

  override readResult(seller: unknown, requestId: string): Promise<RequestResult> {
    return this.#take('readResult', requestId, () => super.readResult(seller, requestId));
  }

  override readAuction(seller: unknown, adId: string): Promise<Auction | null> {
    return this.#take('readAuction', adId, () => super.readAuction(seller, adId));
  }

  override readRunning(): Promise<readonly Auction[]> {
    return this.#take('readRunning', '', () => super.readRunning());
  }

  override setPrices(seller: unknown, adId: string, change: PriceChange): Promise<PriceOutcome> {
    return this.#take('setPrices', adId, () => super.setPrices(seller, adId, change));
  }

  override remove(seller: unknown, adId: string): Promise<RemovalOutcome> {
    return this.#take('remove', adId, () => super.remove(seller, adId));
  }

  #take<Result>(method: Scripted, id: string, own: () => Promise<Result>): Promise<Result> {
    this.calls.push({ method, id });
    const scripted = this.#script.find((answer) => answer.method === method && answer.times > 0);
    if (scripted === undefined) return own();
    scripted.times -= 1;
    return scripted.give() as Promise<Result>;
  }
}
