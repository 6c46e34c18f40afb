import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';

const named =
  /\b(ops (retry|order void|buyer \w+|account \w+)|(grant|revoke)-(operator|reseller)|(suspend|resume)-account|re-encrypt-secrets|after-restore|move-images)\b/;

/** A command to copy: it has arguments, or begins with the tool. One that is only spoken of has neither. */
const isWhole = (text: string): boolean =>
  named.test(text) && (text.includes('itembridge') || new RegExp(`${named.source} \\S`).test(text));

/** Lines of blocks of code, and code in the text. */
const commandsIn = (page: string): string[] =>
  page.split(/^```.*$/m).flatMap((part, place) => {
    if (place % 2 === 1) return part.split('\n');
    return [...part.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text);
  });

test('each command of a page that production refuses without a name has one', (t) => {
  const pages = readdirSync('docs').filter((name) => name.endsWith('.md') && name !== 'decisions.md');
  const commands = pages.flatMap((name) =>
    commandsIn(readFileSync(`docs/${name}`, 'utf8'))
      .filter(isWhole)
      .map((command) => `${name}: ${command}`),
  );
  t.true(commands.length >= 25, String(commands.length));
  t.deepEqual(
    commands.filter((command) => !command.includes('--as ')),
    [],
  );
});
