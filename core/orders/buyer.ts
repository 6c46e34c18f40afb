/** Where an order goes. A part that the marketplace does not give is null. */
export interface Address {
  readonly name: string | null;
  readonly line1: string | null;
  readonly line2: string | null;
  readonly postalCode: string | null;
  readonly city: string | null;
  readonly country: string | null;
}

/** The buyer of an order, as the marketplace gives it. Personal data: it stays in its own rows, and never goes into an event. */
export interface Buyer {
  /** The marketplace's id of the buyer. */
  readonly marketplaceUserId: string;
  readonly alias: string | null;
  readonly name: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly address: Address;
}
