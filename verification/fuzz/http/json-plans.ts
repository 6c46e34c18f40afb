import { refusedCases } from '../../../test/support/outbound-cases.ts';
import type { BodyOperation } from './body-operations.ts';
import { otherWaysToWrite } from '../../../test/support/other-ways-to-write.ts';
import {
  brokenNumbers,
  hostileKeys,
  hostileNumbers,
  hostileParts,
  hostileTexts,
  nested,
  words,
} from './hostile-values.ts';
import { asInput, type Plan } from './input.ts';
import { countPlaces, mapPlace, raw, withField, writeJsonText, type JsonText } from './json-text.ts';
import { mutateJson } from './mutate-json.ts';

const inner = (name: string): string => name.replaceAll(/[^a-z]+/g, '-');

/** Bodies that are JSON, or were before somebody sat on the keyboard. */
export function jsonPlans(operations: readonly BodyOperation[], mutationsEach: number): Plan[] {
  return operations
    .filter(({ isStream }) => !isStream)
    .flatMap((operation) => [
      ...mutated(operation, mutationsEach),
      ...numbers(operation),
      ...nesting(operation),
      ...texts(operation),
      ...keys(operation),
    ]);
}

function mutated(operation: BodyOperation, count: number): Plan[] {
  return Array.from({ length: count }, (_, number) => ({
    kind: 'mutated JSON',
    name: `${operation.name} #${number}`,
    make: (random) =>
      asInput(operation.request(mutateJson(operation.example, random), `mutated-${inner(operation.name)}-${number}`)),
  }));
}

/** In every place of the body that has a number; what is no JSON number at all must be 400 (or refused for another reason first). */
function numbers(operation: BodyOperation): Plan[] {
  const places = placesOf(operation.example, (text) => /^-?\d/.test(text));
  return places.flatMap((place) =>
    [...hostileNumbers, ...brokenNumbers].map((text): Plan => {
      const body = writeJsonText(mapPlace(operation.example, place, () => raw(text)));
      const isBroken = brokenNumbers.includes(text);
      return {
        kind: 'numbers',
        name: `${operation.name} ${place} ${text.slice(0, 30)}`,
        make: () =>
          asInput(
            operation.request(body, `number-${place}-${hostileNumbers.indexOf(text)}`),
            isBroken ? [400] : undefined,
          ),
      };
    }),
  );
}

/** Deeper than any body may be: refused before it is parsed, whatever else is wrong with it. */
function nesting(operation: BodyOperation): Plan[] {
  const example = writeJsonText(operation.example);
  return Object.entries(nested).flatMap(([name, text]) => {
    const inField: JsonText = withField(operation.example, 'extra', raw(text));
    return [text, writeJsonText(inField), writeJsonText(mapPlace(operation.example, 1, () => raw(text)))].map(
      (body, number): Plan => ({
        kind: 'deep nesting',
        name: `${operation.name} ${name} ${number}`,
        make: () =>
          asInput(
            operation.request(body, `nested-${inner(name)}-${number}`),
            body === example ? undefined : [400, 413],
          ),
      }),
    );
  });
}

/** Each text in one place that has a text. */
function texts(operation: BodyOperation): Plan[] {
  const places = placesOf(operation.example, (text) => text.startsWith('"'));
  if (places.length === 0) return [];
  return hostileTexts.map((text, number) => ({
    kind: 'texts',
    name: `${operation.name} ${text.slice(0, 30)}`,
    make: (random) => {
      const body = writeJsonText(mapPlace(operation.example, random.pick(places), () => raw(text)));
      return asInput(operation.request(body, `text-${number}`));
    },
  }));
}

function keys(operation: BodyOperation): Plan[] {
  const added = hostileKeys.map((key, number): Plan => {
    const name = `${operation.name} ${JSON.stringify(key.slice(0, 20))}`;
    return {
      kind: 'keys',
      name,
      make: (random) => {
        const body = withField(operation.example, key, random.pick(hostileParts));
        return asInput(operation.request(writeJsonText(body), `key-${number}`));
      },
    };
  });
  const { example } = operation;
  if (example.kind !== 'object' || example.entries.length === 0) return added;
  const twice = { kind: 'object', entries: [...example.entries, ...example.entries] } as const;
  const manyKeys = Array.from({ length: 20_000 }, (_, key) => [`k${key}`, raw('1')] as const);
  return [
    ...added,
    {
      kind: 'keys',
      name: `${operation.name} all keys twice`,
      make: () => asInput(operation.request(writeJsonText(twice), 'key-twice')),
    },
    {
      kind: 'keys',
      name: `${operation.name} 20,000 keys`,
      make: () => {
        const body = { kind: 'object', entries: [...example.entries, ...manyKeys] } as const;
        return asInput(operation.request(writeJsonText(body), 'key-many'));
      },
    },
  ];
}

function placesOf(json: JsonText, matches: (text: string) => boolean): number[] {
  const found: number[] = [];
  for (let place = 0; place < countPlaces(json); place += 1)
    mapPlace(json, place, (part) => {
      if (part.kind === 'raw' && matches(part.text)) found.push(place);
      return part;
    });
  return found;
}

/** Texts that one operation alone must refuse: users that no header carries, passwords that are none, addresses that must never be called. */
export const refusedTextPlans = (operations: readonly BodyOperation[]): Plan[] =>
  refusedTexts.flatMap(([name, field, texts]) => {
    const operation = operations.find((one) => one.name === name);
    if (operation === undefined) throw new Error(`${name} is no operation with a body`);
    return texts.map((text, number) => {
      const body = writeJsonText(replaceField(operation.example, field, raw(JSON.stringify(text))));
      return {
        kind: 'texts',
        name: `${name} ${field} ${JSON.stringify(text).slice(0, 60)}`,
        make: () => asInput(operation.request(body, `refused-${number}`), [422]),
      };
    });
  });

const nowhere = refusedCases
  .filter(({ whenRegistered, withPrivateNetworks }) => whenRegistered === '422' && withPrivateNetworks === 'refused')
  .map(({ url }) => url);

const refusedTexts: readonly (readonly [operation: string, field: string, texts: readonly string[]])[] = [
  [
    'put /partner/marketplace-connection',
    'marketplaceUserId',
    ['410001\r\nX-Evil: 1', '410001\n', '\r410001', '4100 01', '410001\0', '\t410001', '410001\u2028', 'å', ''],
  ],
  ['post /integration/webhooks', 'url', nowhere],
  ['put /integration/webhook-settings', 'webhookUrl', nowhere],
  [
    'post /auth/register',
    'password',
    [
      ...words('password password123 12345678 1234567890 qwertyuiop aaaaaaaa aaaaaaaaaaaaaaaa ababababababab'),
      ...words('Password123! !!password123!! P@$$w0rd123 "qwertyuiop". ＱＷＥＲＴＹＵＩＯＰ'),
      ...[' '.repeat(12), '\u200b'.repeat(12), '\u3000'.repeat(12), '\u202e\u2060\ufeff'.repeat(4)],
      ...['x'.repeat(129), ''],
    ],
  ],
  ['post /auth/register', 'password', ['refused-0@example.se', ' REFUSED-1@example.se ']],
  ...['post /auth/register', 'post /auth/password/forgotten'].map(
    (name) => [name, 'email', otherWaysToWrite('refused@example.se')] as const,
  ),
];

function replaceField(json: JsonText, field: string, value: JsonText): JsonText {
  if (json.kind !== 'object') return json;
  return { kind: 'object', entries: json.entries.map(([key, old]) => [key, key === field ? value : old] as const) };
}
