// @peculiar/x509 builds on decorators and expects this polyfill to be there first.
import 'reflect-metadata';
import { createPublicKey, webcrypto, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

export interface Certificates {
  /** The authority's certificate alone, for an outside program that must trust the simulators. */
  readonly caFile: string;
  /**
   * The authority's certificate, and those that the user's NODE_EXTRA_CA_CERTS names: what the child processes trust.
   */
  readonly bundleFile: string;
  readonly keyFile: string;
  readonly certificateFile: string;
}

const dayMs = 86_400_000;
const validDays = 365;
const renewBeforeDays = 30;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/**
 * Certificates for https://localhost and https://127.0.0.1, signed by an authority whose private key is never stored,
 * so that trusting it can't be abused. All are made again 30 days before they expire. @param extraCaFile the user's own
 * NODE_EXTRA_CA_CERTS
 */
export async function ensureCertificates(directory: string, extraCaFile: string | undefined): Promise<Certificates> {
  mkdirSync(directory, { recursive: true });
  const files: Certificates = {
    caFile: join(directory, 'ca.pem'),
    bundleFile: join(directory, 'ca-bundle.pem'),
    keyFile: join(directory, 'server.key'),
    certificateFile: join(directory, 'server.pem'),
  };
  if (!areUsable(files)) await createCertificates(files);
  const extra = extraCaFile !== undefined && existsSync(extraCaFile) ? readFileSync(extraCaFile, 'utf8') : '';
  writeFileSync(files.bundleFile, `${readFileSync(files.caFile, 'utf8')}${extra}`);
  return files;
}

function areUsable({ caFile, keyFile, certificateFile }: Certificates): boolean {
  if (![caFile, keyFile, certificateFile].every((file) => existsSync(file))) return false;
  const authority = new X509Certificate(readFileSync(caFile));
  const server = new X509Certificate(readFileSync(certificateFile));
  const serverKey = createPublicKey(readFileSync(keyFile));
  const isPair = server.verify(authority.publicKey) && server.publicKey.equals(serverKey);
  return isPair && Date.parse(server.validTo) - Date.now() > renewBeforeDays * dayMs;
}

async function createCertificates(files: Certificates): Promise<void> {
  // One hour in the past, so that a clock that is set back a little still accepts a fresh certificate.
  // Valid to a process whose clock is behind, too: image processes keep the machine's clock in the tests of other dates.
  const validity = {
    notBefore: new Date(Date.now() - 2 * validDays * dayMs),
    notAfter: new Date(Date.now() + validDays * dayMs),
  };
  const authorityKeys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const serverKeys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=itembridge embedded authority',
    keys: authorityKeys,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  const server = await X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=localhost',
    issuer: authority.subject,
    publicKey: serverKeys.publicKey,
    signingKey: authorityKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
        { type: 'ip', value: '::1' },
      ]),
    ],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', serverKeys.privateKey)).toString('base64');
  writeFileSync(
    files.keyFile,
    `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}(?=.)/g, '$&\n')}\n-----END PRIVATE KEY-----\n`,
    { mode: 0o600 },
  );
  writeFileSync(files.certificateFile, `${server.toString('pem')}\n`);
  writeFileSync(files.caFile, `${authority.toString('pem')}\n`);
}
