import { join } from 'node:path';
import test from 'ava';
import { freePort } from '../../embedded/choose-port.ts';
import { temporalProcess } from '../../embedded/temporal.ts';
import { call } from '../simulators/support/call.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test("Temporal's HTTP API, which any web page could call, answers nothing", async (t) => {
  const binary = process.env['ITEMBRIDGE_TEMPORAL_BIN'] ?? t.fail();
  const folder = temporaryFolder('temporal');
  const [port, metricsPort, httpPort] = [await freePort(), await freePort(), await freePort()];
  const server = temporalProcess({
    binary,
    port,
    metricsPort,
    httpPort,
    databaseFile: join(folder, 'temporal.sqlite'),
    logFile: join(folder, 'temporal.log'),
  });
  await server.start();
  t.teardown(() => server.stop());
  const url = `http://127.0.0.1:${httpPort}/api/v1/namespaces`;
  for (const host of [`127.0.0.1:${httpPort}`, 'localhost', 'attacker.example']) {
    const answer = await call('GET', url, { headers: { host } });
    t.is(answer.status, 403, `${host}: ${answer.text}`);
  }
});
