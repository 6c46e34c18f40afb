import test from 'ava';
import { requiredTimeOf, timeOf, UnreadableAnswer } from '../../gateways/marketplace/wire-kit.ts';

const times: Record<string, string | null> = {
  '2026-07-01T12:00:00Z': '2026-07-01T12:00:00.000Z',
  '2026-07-01T12:00:00.1234567Z': '2026-07-01T12:00:00.123Z',
  '2026-07-01T12:00:00+02:00': '2026-07-01T10:00:00.000Z',
  '2026-07-01T12:00:00': '2026-07-01T10:00:00.000Z',
  '2026-12-01T12:00:00.5': '2026-12-01T11:00:00.500Z',
  '2026-12-01T12:00': '2026-12-01T11:00:00.000Z',
  '2026-12-01': '2026-11-30T23:00:00.000Z',
  // The clocks go on by an hour at 02:00, and back at 03:00.
  '2026-03-29T01:59:59': '2026-03-29T00:59:59.000Z',
  '2026-03-29T03:00:00': '2026-03-29T01:00:00.000Z',
  '2026-10-25T01:59:59': '2026-10-24T23:59:59.000Z',
  '2026-10-25T03:00:00': '2026-10-25T02:00:00.000Z',
  '0001-01-01T00:00:00': null,
  '0001-01-01T00:00:00Z': null,
  '': null,
  ' ': null,
};
for (const [text, expected] of Object.entries(times))
  test(`the time '${text}' is ${expected ?? 'none'}; without a zone it is Swedish`, (t) => {
    t.is(timeOf(text)?.toISOString() ?? null, expected);
  });

test('a missing time is none, unless the row cannot do without', (t) => {
  t.is(timeOf(null), null);
  t.is(timeOf(undefined), null);
  for (const text of [null, undefined, '0001-01-01T00:00:00'])
    t.throws(() => requiredTimeOf(text), { instanceOf: UnreadableAnswer });
});

test('a text that is no time cannot be read', (t) => {
  for (const text of ['soon', '2026-13-45T00:00:00', '2026-13-45T00:00:00Z', '1700000000'])
    t.throws(() => timeOf(text), { instanceOf: UnreadableAnswer }, text);
});
