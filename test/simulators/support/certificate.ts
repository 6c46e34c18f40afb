import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { Agent } from 'undici';
import { ensureCertificates } from '../../../embedded/certificates.ts';
import type { TlsFiles } from '../../../simulators/kit/start-simulator.ts';

/** A folder that is gone after the test. */
export function aFolder(t: ExecutionContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'simulator-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A certificate of the test's own, and a dispatcher that trusts it. */
export async function aCertificate(t: ExecutionContext): Promise<{ tls: TlsFiles; dispatcher: Agent }> {
  const files = await ensureCertificates(aFolder(t), undefined);
  const dispatcher = new Agent({ connect: { ca: readFileSync(files.caFile) } });
  t.teardown(() => dispatcher.destroy());
  return { tls: { keyFile: files.keyFile, certFile: files.certificateFile }, dispatcher };
}
