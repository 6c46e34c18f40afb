import test from 'ava';
import { isAllowedAddress, isAllowedHost } from '../../platform/public-address-guard.ts';

const strict = { allowPrivateNetworks: false };
const relaxed = { allowPrivateNetworks: true };

const publicOnes = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'];
const privateOnes = [
  '127.0.0.1',
  '127.255.0.9',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
];
const neverOnes = [
  '169.254.169.254',
  'fe80::1',
  '0.0.0.0',
  '0.1.2.3',
  '255.255.255.255',
  '224.0.0.1',
  '240.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '203.0.113.5',
  '::',
  'ff02::1',
  '2001:db8::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '::7f00:1',
  '::ffff:169.254.169.254',
  'fec0::1',
  'fd00:ec2::23',
  'fd00:ec2:ffff::1',
  'fd20:ce::1',
  'fd00:42::42',
  '4000::1',
  '',
  'localhost',
  '127.0.0.1:80',
  '[::1]',
];

test('public addresses are allowed', (t) => {
  for (const address of publicOnes) t.true(isAllowedAddress(address, strict), address);
});

test('private addresses, also inside IPv6, are refused unless private networks are allowed', (t) => {
  for (const address of privateOnes) {
    t.false(isAllowedAddress(address, strict), address);
    t.true(isAllowedAddress(address, relaxed), address);
  }
});

test('link-local, reserved, multicast, tunnelled and malformed addresses are refused even where private networks are allowed', (t) => {
  for (const address of neverOnes) {
    t.false(isAllowedAddress(address, strict), address);
    t.false(isAllowedAddress(address, relaxed), address);
  }
});

test('a URL host is judged by its literal in every spelling; names pass', (t) => {
  const spellings = [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '127.1',
    '017700000001',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '127.0.0.1.',
  ];
  for (const host of spellings) t.false(isAllowedHost(new URL(`https://${host}/`).hostname, strict), host);
  t.true(isAllowedHost('partner.example', strict));
  t.true(isAllowedHost('[2606:4700::1]', strict));
});
