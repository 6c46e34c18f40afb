import { webcrypto } from 'node:crypto';
import 'reflect-metadata'; // x509 expects it to be there first
import * as x509 from '@peculiar/x509';
import { present } from '../../support/clock.ts';

export interface TestCertificate {
  readonly cert: string;
  readonly key: string;
}

export interface TestAuthority {
  readonly pem: string;
  /** A server certificate for these names and addresses. */
  issue(names: readonly string[], validity?: { notAfter: Date }): Promise<TestCertificate>;
}

/** A server certificate that vouches for itself. */
export async function issueSelfSigned(names: readonly string[]): Promise<TestCertificate> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=test server',
    notBefore: present(-dayMs),
    notAfter: present(dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new x509.SubjectAlternativeNameExtension(names.map(asName))],
  });
  return { cert: certificate.toString('pem'), key: await pemOf(keys.privateKey) };
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 86_400_000;
/** The last one given; an authority has 1. */
let serialNumber = 1;

/** A certificate authority of this test's own. */
export async function createAuthority(name = 'itembridge test authority'): Promise<TestAuthority> {
  const keys = await newKeys();
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${name}`,
    notBefore: present(-10 * dayMs),
    notAfter: present(10 * dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 1, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    pem: root.toString('pem'),
    issue: (names, validity) =>
      issue(names, {
        root,
        rootKey: keys.privateKey,
        notAfter: validity?.notAfter ?? present(5 * dayMs),
      }),
  };
}

async function issue(
  names: readonly string[],
  by: { root: x509.X509Certificate; rootKey: webcrypto.CryptoKey; notAfter: Date },
): Promise<TestCertificate> {
  const keys = await newKeys();
  const leaf = await x509.X509CertificateGenerator.create({
    serialNumber: String((serialNumber += 1)),
    subject: 'CN=test server',
    issuer: by.root.subject,
    notBefore: present(-9 * dayMs),
    notAfter: by.notAfter,
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: by.rootKey,
    extensions: [new x509.SubjectAlternativeNameExtension(names.map(asName))],
  });
  return { cert: leaf.toString('pem'), key: await pemOf(keys.privateKey) };
}

const asName = (name: string): { type: 'ip' | 'dns'; value: string } => ({
  type: /^[\d.]+$|:/.test(name) ? 'ip' : 'dns',
  value: name,
});

async function pemOf(privateKey: webcrypto.CryptoKey): Promise<string> {
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
  return `-----BEGIN PRIVATE KEY-----\n${key.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\n`;
}

const newKeys = (): Promise<webcrypto.CryptoKeyPair> =>
  webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
