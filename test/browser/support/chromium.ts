import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Debian's Chromium (package `chromium`), or the one that CHROMIUM_BIN names; never one that is downloaded. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(),
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      // It asks nobody outside for anything.
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
}

function chromiumPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [
    process.env['CHROMIUM_BIN'] ?? '',
    ...names.flatMap((name) => folders.map((one) => join(one, name))),
  ];
  const found = candidates.find((path) => path !== '' && existsSync(path));
  if (found === undefined) throw new Error('no Chromium: apt-get install chromium, or name one in CHROMIUM_BIN');
  return found;
}
