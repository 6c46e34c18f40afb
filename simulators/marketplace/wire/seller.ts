import type { World } from '../records/world.ts';
import { personNamed, type Person } from './people.ts';

/** The seller as a person; invented, but for the number. */
export function sellerAsPerson({ users }: World, userId: string): Person {
  const alias = `seller-${userId}`;
  const person = { ...personNamed(alias), lastName: 'Säljare', email: `${alias}@sellers.example` };
  return { ...person, number: users.ensure(userId).number };
}
