import test from 'ava';
import { describeImageFailure, imageFailureKinds } from '../../features/images/rules/image-failure.ts';
import { tellImageFailure } from '../../web/dashboard/src/history/image-failures.ts';

test('why an image failed is said in both languages, with its number, and in different words', (t) => {
  for (const kind of imageFailureKinds) {
    const [english, swedish] = [describeImageFailure({ kind }), tellImageFailure({ kind }, 'sv')];
    t.not(english, swedish);
    for (const sentence of [english, tellImageFailure({ kind }, 'en'), swedish])
      t.regex(sentence, /^[\p{L}\p{N}:,'’ -]{10,90}$/u);
  }
  const said = (kind: (typeof imageFailureKinds)[number], number: number): string[] => [
    describeImageFailure({ kind, number }),
    tellImageFailure({ kind, number }, 'sv'),
  ];
  t.deepEqual(said('not_found', 404), [
    'there is no image at this address (HTTP 404)',
    'det finns ingen bild på adressen (HTTP 404)',
  ]);
  t.deepEqual(said('too_large', 20), ['the file is too large (at most 20 MB)', 'filen är för stor (högst 20 MB)']);
  t.deepEqual(said('too_many_pixels', 25), [
    'the image has too many pixels (at most 25 million)',
    'bilden har för många bildpunkter (högst 25 miljoner)',
  ]);
  t.deepEqual(said('too_slow', 20), [
    'the image server is too slow (after 20 s)',
    'bildservern är för långsam (efter 20 s)',
  ]);
  t.is(
    describeImageFailure({ kind: 'unreachable', detail: 'connection refused' }),
    'the image server cannot be reached (connection refused)',
  );
});
