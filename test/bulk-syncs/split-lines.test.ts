import test from 'ava';
import { splitLines, type RawLine } from '../../features/bulk-syncs/split-lines.ts';

async function split(body: Uint8Array, { pieceBytes = 1_000, lineBytesMax = 40 } = {}): Promise<RawLine[]> {
  const lines: RawLine[] = [];
  const pieces = async function* () {
    for (let at = 0; at < body.length; at += pieceBytes)
      yield await Promise.resolve(body.subarray(at, at + pieceBytes));
  };
  for await (const step of splitLines(pieces(), lineBytesMax)) lines.push(...step.lines);
  return lines;
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const textsOf = (lines: readonly RawLine[]) =>
  lines.map((raw) => [raw.line, 'text' in raw ? raw.text : raw.problem] as const);

test('lines are numbered from 1, empty ones are skipped but numbered, the last needs no end', async (t) => {
  t.deepEqual(textsOf(await split(bytes('a\n\n \t\nb\r\n\r\nc'))), [
    [1, 'a'],
    [4, 'b'],
    [6, 'c'],
  ]);
  t.deepEqual(await split(bytes('\n\n')), []);
  t.deepEqual(await split(bytes('')), []);
});

test('a byte order mark is no part of the first line', async (t) => {
  t.deepEqual(textsOf(await split(bytes('\uFEFFa\n\uFEFFb'))), [
    [1, 'a'],
    [2, '\uFEFFb'],
  ]);
});

test('a line may be as long as is allowed, and one byte more is too long', async (t) => {
  const most = 'å'.repeat(20);
  t.deepEqual(textsOf(await split(bytes(`${most}\n${most}\r\n${most}x\ny`))), [
    [1, most],
    [2, most],
    [3, 'too-long'],
    [4, 'y'],
  ]);
});

test('bytes that are no UTF-8 are told, not replaced', async (t) => {
  t.deepEqual(textsOf(await split(new Uint8Array([0x61, 0x0a, 0xc3, 0x28, 0x0a, 0x62]))), [
    [1, 'a'],
    [2, 'not-utf-8'],
    [3, 'b'],
  ]);
});

// specification: without-holding-the-body
test('however small the pieces are, the lines are the same, and a line that never ends is not held', async (t) => {
  const body = bytes(`{"a":"åäö"}\r\n\n${'x'.repeat(500)}\n{"b":1}\n${'y'.repeat(60)}`);
  const whole = await split(body);
  t.deepEqual(textsOf(whole), [
    [1, '{"a":"åäö"}'],
    [3, 'too-long'],
    [4, '{"b":1}'],
    [5, 'too-long'],
  ]);
  for (const pieceBytes of [1, 2, 3, 7, 41, 512]) t.deepEqual(await split(body, { pieceBytes }), whole);
  const endless = async function* () {
    const piece = Buffer.alloc(64 * 1024, 0x78);
    for (let n = 0; n < 2_000; n += 1) yield await Promise.resolve(piece);
  };
  const before = process.memoryUsage().arrayBuffers;
  const found: RawLine[] = [];
  for await (const { lines } of splitLines(endless(), 1_000)) found.push(...lines);
  t.deepEqual(found, [{ line: 1, problem: 'too-long' }]);
  t.true(process.memoryUsage().arrayBuffers - before < 8 * 1024 * 1024);
});
