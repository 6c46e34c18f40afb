/** A buyer, who exists by name alone; always the same person for the same name. */
export interface Person {
  readonly number: number;
  readonly alias: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly phone: string;
  readonly address: string;
  readonly zipCode: string;
  readonly city: string;
  readonly countryName: string;
}

export function personNamed(alias: string): Person {
  return {
    number: numberOf(alias),
    alias,
    firstName: 'Kim',
    lastName: `${alias}sson`,
    // 070-1740605 is one of the numbers reserved for examples.
    email: `${alias}@buyers.example`,
    phone: '070-174 06 05',
    address: 'Storgatan 1',
    zipCode: '903 26',
    city: 'Umeå',
    countryName: 'Sverige',
  };
}

/** As items and transactions show a person. Others than the two parties see the alias alone. */
export function userOnWire(person: Person, shown: 'whole' | 'alias'): Record<string, unknown> {
  const { number, alias, firstName, lastName, email, phone, address, zipCode, city, countryName } = person;
  const whole = { firstName, lastName, email, phoneNumber: phone, address, zipCode, city, countryName };
  const hidden = Object.fromEntries(Object.keys(whole).map((name) => [name, null]));
  const base = { id: number, alias, totalRating: 0, mobilePhoneNumber: null, transactionId: 0 };
  return { ...base, ...(shown === 'whole' ? whole : hidden) };
}

const numberOf = (alias: string): number =>
  100_000 + [...alias].reduce((hash, character) => (hash * 31 + character.charCodeAt(0)) % 899_999, 7);
