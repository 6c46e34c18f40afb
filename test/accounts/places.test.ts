import test from 'ava';
import { accountId } from '../../features/rules/ids.ts';
import { Refusal } from '../../features/rules/errors.ts';
import { createPlaces, Places } from '../../features/accounts/places.ts';

const few = () => new Places({ eachMax: 4, allMax: 32, refusal: 'Too many', retryAfterSeconds: 5 });
const a = accountId('a');

test('an account has its places, gets one back with each call that ends, and one more is told when to come back', (t) => {
  const places = few();
  const [first] = Array.from({ length: 4 }, () => places.take(a));
  const refused = t.throws(() => places.take(a), { instanceOf: Refusal });
  t.like(refused, { code: 'RATE_LIMITED', retryAfterSeconds: 5, message: 'Too many' });
  first?.();
  places.take(a);
  t.throws(() => places.take(a), { instanceOf: Refusal });
});

test('once half of the places are taken an account gets one at a time, so 4 accounts with 4 each leave 16 to others', (t) => {
  const places = few();
  for (let n = 0; n < 16; n += 1) places.take(accountId(`a${Math.floor(n / 4)}`));
  for (let n = 0; n < 16; n += 1) {
    places.take(accountId(`b${n}`));
    t.throws(() => places.take(accountId(`b${n}`)), { instanceOf: Refusal });
  }
  t.throws(() => places.take(accountId('c')), { instanceOf: Refusal });
});

test('one account can neither keep others from streams, nor from files, nor from uploads', (t) => {
  for (const places of Object.values(createPlaces())) {
    t.throws(() => {
      for (;;) places.take(a);
    });
    t.notThrows(() => places.take(accountId('b')));
  }
});
