import type {
  ChangeOutcome,
  ChangeReceipt,
  DraftReceipt,
  FoundListing,
  ListingPrices,
  RemovalOutcome,
  RequestOutcome,
} from '../../../../gateways/marketplace/port.ts';
import { FakeMarketplace } from '../../../../verification/model/support/fake-marketplace.ts';

interface Answers {
  readonly commit: undefined;
  readonly readOutcome: RequestOutcome;
  readonly findByOwnReference: readonly FoundListing[];
  readonly setPrices: ChangeReceipt;
  readonly readChange: ChangeOutcome;
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

  override readOutcome(seller: unknown, request: DraftReceipt): Promise<RequestOutcome> {
    return this.#take('readOutcome', request.requestId, () => super.readOutcome(seller, request));
  }

  override findByOwnReference(seller: unknown, reference: string): Promise<readonly FoundListing[]> {
    return this.#take('findByOwnReference', reference, () => super.findByOwnReference(seller, reference));
  }

  override setPrices(seller: unknown, adId: string, prices: ListingPrices): Promise<ChangeReceipt> {
    return this.#take('setPrices', adId, () => super.setPrices(seller, adId, prices));
  }

  override readChange(seller: unknown, requestId: string): Promise<ChangeOutcome> {
    return this.#take('readChange', requestId, () => super.readChange(seller, requestId));
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
