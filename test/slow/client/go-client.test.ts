import { execFile, spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { withApiWorld } from '../../support/api-world.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const generator = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const hasGo = spawnSync('go', ['version']).status === 0;
const world = withApiWorld(test);

/** Versions are those of go.mod and of the generator above. */
async function go(folder: string, args: readonly string[], environment: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, GOFLAGS: '-mod=readonly', ...environment };
  const { stdout } = await promisify(execFile)('go', [...args], { cwd: folder, env });
  return stdout;
}

if (!hasGo) console.log('skipped: the generated Go client, because there is no Go on this machine');
(hasGo ? test : test.skip)('149999.99 SEK survives a Go client that was generated from the document', async (t) => {
  t.timeout(480_000);
  const { apiKey } = await world().account();
  const folder = join(temporaryFolder('go'), 'client');
  cpSync('test/slow/client/support/go-client', folder, { recursive: true });
  const document = join(process.cwd(), 'docs', 'openapi.json');
  await go(folder, ['run', generator, '-config', 'oapi-codegen.yaml', '-o', 'api.gen.go', document]);
  await go(folder, ['build', '-o', 'client', '.']);
  const { stdout } = await promisify(execFile)(join(folder, 'client'), [world().url], {
    env: { ...process.env, API_KEY: apiKey },
  });
  t.is(stdout, '149999.99');
  const { body } = await world().call('GET', '/integration/v1/items/GO-1', { apiKey });
  t.is(body.price, 149999.99);
});
