import { spawnSync } from 'node:child_process';
import test from 'ava';
import { openTracing } from '../../platform/open-tracing.ts';
import { inSpan } from '../../platform/tracing.ts';

test('without a collector there is no tracing, and work runs as it is', async (t) => {
  t.is(await openTracing('', 'a-service'), undefined);
  t.is(await inSpan(undefined, { name: 'work', kind: 'internal' }, () => Promise.resolve(7)), 7);
});

test('without a collector nothing of OpenTelemetry is loaded', (t) => {
  const program = `
    const { openTracing } = await import('./platform/open-tracing.ts');
    await openTracing('', 'a-service');
    const { default: Module } = await import('node:module');
    console.log(Object.keys(Module._cache).filter((file) => file.includes('@opentelemetry')).length);
  `;
  const { stdout } = spawnSync(process.execPath, ['--import=tsx', '--input-type=module', '--eval', program]);
  t.is(stdout.toString().trim(), '0');
});
