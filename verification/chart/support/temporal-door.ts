import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { X509CertificateGenerator } from '@peculiar/x509';
import { freePort } from '../../../embedded/choose-port.ts';

export interface TemporalDoor {
  readonly address: string;
  /** The files of the Secret with which one gets in. */
  readonly files: Readonly<Record<'tls.crt' | 'tls.key' | 'ca.crt', string>>;
  close(): Promise<void>;
}

/** TLS in front of a Temporal server without it: only who shows the one certificate gets in. */
export async function openTemporalDoor(address: string): Promise<TemporalDoor> {
  const { certificate, key } = await createClient();
  const [host, target] = address.split(':');
  const port = await freePort();
  const open = new Set<Socket>();
  const server = createServer(
    {
      key: readFileSync(process.env['TEST_TLS_KEY_FILE'] ?? ''),
      cert: readFileSync(process.env['TEST_TLS_CERT_FILE'] ?? ''),
      ca: certificate,
      requestCert: true,
      ALPNProtocols: ['h2'],
    },
    (socket) => {
      const behind = connect(Number(target), host);
      socket.pipe(behind).pipe(socket);
      for (const one of [socket, behind]) {
        open.add(one);
        one.on('error', () => [socket, behind].forEach((each) => each.destroy()));
      }
    },
  );
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    address: `localhost:${port}`,
    files: {
      'tls.crt': certificate,
      'tls.key': key,
      'ca.crt': readFileSync(process.env['TEST_CA_FILE'] ?? '', 'utf8'),
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const one of open) one.destroy();
      return closed;
    },
  };
}

/** Its own authority. */
async function createClient(): Promise<{ certificate: string; key: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=itembridge',
    keys,
    signingAlgorithm: algorithm,
  });
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${bytes.replace(/.{64}(?=.)/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
  return { certificate: `${certificate.toString('pem')}\n`, key };
}
