import { isIP } from 'node:net';
import { createSecureContext, getCACertificates } from 'node:tls';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { TemporalAddress } from '../gateways/orchestrator/temporal-connection.ts';
import type { ReadSettings } from './read-settings.ts';

/** What Temporal's own tools read, too, besides address and namespace. */
const names = [
  'TEMPORAL_API_KEY',
  'TEMPORAL_TLS',
  'TEMPORAL_TLS_CLIENT_CERT_PATH',
  'TEMPORAL_TLS_CLIENT_CERT_DATA',
  'TEMPORAL_TLS_CLIENT_KEY_PATH',
  'TEMPORAL_TLS_CLIENT_KEY_DATA',
  'TEMPORAL_TLS_SERVER_CA_CERT_PATH',
  'TEMPORAL_TLS_SERVER_CA_CERT_DATA',
  'TEMPORAL_TLS_SERVER_NAME',
] as const;

/** Certificates and keys are read here, so a rotated one counts from the next start on. */
export const readTemporal = (read: ReadSettings, problems: string[]) => ({
  connection: readConnection(read, problems),
  namespace: read.text('TEMPORAL_NAMESPACE', 'default'),
  taskQueue: read.text('TEMPORAL_TASK_QUEUE', 'itembridge'),
});

function readConnection(read: ReadSettings, problems: string[]): TemporalAddress {
  const address = read.text('TEMPORAL_ADDRESS', '127.0.0.1:7233');
  // The library takes an empty path for a file, and an empty TEMPORAL_TLS for false.
  const given = names.map((name) => [name, read.optional(name)] as const).filter(([, value]) => value !== '');
  const isGiven = (part: string): boolean => given.some(([name]) => name.startsWith(part));
  if (!['', 'true', 'false'].includes(read.optional('TEMPORAL_TLS')))
    problems.push('TEMPORAL_TLS must be true or false');
  if (isGiven('TEMPORAL_TLS_CLIENT_CERT') !== isGiven('TEMPORAL_TLS_CLIENT_KEY'))
    problems.push('TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH are given both or not at all');
  try {
    const { connectionOptions } = loadClientConnectConfig({
      disableFile: true,
      overrideEnvVars: Object.fromEntries(given),
    });
    const { tls, apiKey } = connectionOptions;
    if (apiKey !== undefined && !tls) problems.push('TEMPORAL_API_KEY needs TLS: take TEMPORAL_TLS=false out');
    // Node refuses to ask a server for an address in place of a name.
    if (tls && !isGiven('TEMPORAL_TLS_SERVER_NAME') && isIP(address.replace(/:\d+$|[[\]]/g, '')) !== 0)
      problems.push('TEMPORAL_TLS_SERVER_NAME must be a name in the server’s certificate: TEMPORAL_ADDRESS has none');
    return {
      address,
      ...(apiKey !== undefined && { apiKey }),
      ...(tls && { tls: soundTls(tls === true ? {} : tls) }),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    problems.push(`the files of TEMPORAL_TLS_CLIENT_CERT_PATH, …_KEY_PATH, …_SERVER_CA_CERT_PATH: ${reason}`);
    return { address };
  }
}

type Tls = Exclude<TemporalAddress['tls'], undefined>;

/**
 * Throws the reason for which certificate, key and authority can't be used. Without a named authority, Node's are trusted: the worker's
 * library would look for the system's, which an image may lack.
 */
function soundTls({ serverRootCACertificate, clientCertPair, ...tls }: Tls): Tls {
  const ca = serverRootCACertificate ?? Buffer.from(getCACertificates('default').join('\n'));
  const pair = clientCertPair && { cert: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) };
  createSecureContext({ ca: Buffer.from(ca), ...pair });
  return { ...tls, serverRootCACertificate: ca, ...(clientCertPair && { clientCertPair }) };
}
