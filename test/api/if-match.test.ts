import test from 'ava';
import { readIfMatch, readIfNoneMatch } from '../../api/http/if-match.ts';
import type { Call } from '../../api/http/route.ts';

const withHeader = (name: string, value: string) => ({ headers: { [name]: value } }) as unknown as Call;
const ifMatch = (value: string) => readIfMatch(withHeader('if-match', value)).ifMatch;
const isRefused = { name: 'Refusal', message: /entity tags/ };

test('no header asks nothing', (t) => {
  t.deepEqual(readIfMatch({ headers: {} } as unknown as Call), {});
});

test('a star, a tag, and lists of tags are read, with empty places and commas inside of quotes', (t) => {
  t.is(ifMatch(' * '), 'any');
  t.deepEqual(ifMatch('"a.1"'), ['a.1']);
  t.deepEqual(ifMatch('"a.1", "b.2"'), ['a.1', 'b.2']);
  t.deepEqual(ifMatch(',"a.1",, \t"b,c" ,'), ['a.1', 'b,c']);
  t.deepEqual(ifMatch('""'), ['']);
});

test('a weak tag never matches If-Match, and matches If-None-Match', (t) => {
  t.deepEqual(ifMatch('W/"a.1", "b.2"'), ['W/a.1', 'b.2']);
  t.deepEqual(ifMatch('W/"a.1"'), ['W/a.1']);
  t.deepEqual(readIfNoneMatch(withHeader('if-none-match', 'W/"a.1"')).ifNoneMatch, ['a.1']);
});

test('what is no list of tags is refused', (t) => {
  for (const value of [
    '',
    ' ',
    ',',
    'a.1',
    '"a.1',
    'a.1"',
    '"a" "b"',
    '*, "a"',
    '"a", *',
    'w/"a"',
    '"a b"',
    '"é' + '\u0100"',
  ]) {
    t.throws(() => ifMatch(value), isRefused, value);
  }
});

// A search that tried every division of it would not come to an end.
test('a long header of nothing is refused', (t) => {
  for (const part of [' ', ',', '"', '"a"', '"a" ', ' \t']) {
    const value = `${part.repeat(16_000)}x`;
    t.throws(() => ifMatch(value), isRefused);
  }
});
