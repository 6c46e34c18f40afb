/** What a story does to its item. Every step waits for a moment of its own and is repeated until it was accepted. */
export interface StoredItem {
  price(price: number): Promise<void>;
  push(change: { title?: string; price?: number }): Promise<void>;
  setStatus(status: 'not_listed' | 'sold'): Promise<void>;
  remove(): Promise<void>;
  publish(): Promise<void>;
  /** On the auction of the beginning. */
  bid(): Promise<void>;
  endAuction(): Promise<void>;
  untilEnded(): Promise<void>;
  untilSold(): Promise<void>;
}
