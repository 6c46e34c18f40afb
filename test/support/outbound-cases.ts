/** One address that somebody might try to have us call, and what becomes of it. */
export interface OutboundCase {
  readonly group: string;
  /** As it stands in the URL. */
  readonly url: string;
  /** What DNS says, when it is asked; an empty list is "no such name". */
  readonly resolvesTo?: readonly string[];
  /** 422 when a webhook is registered with it, or `accepted`: its name is looked at when it is connected to. */
  readonly whenRegistered: '422' | 'accepted';
  /** What the delivery log says when it is tried all the same; none of these is ever connected to. */
  readonly whenConnecting: string;
  /** With ALLOW_PRIVATE_NETWORKS=true. */
  readonly withPrivateNetworks: 'let in' | 'refused';
}

const notPublic = 'address is not public';

type Outcome = Pick<OutboundCase, 'whenRegistered' | 'whenConnecting' | 'withPrivateNetworks'>;

const never: Outcome = { whenRegistered: '422', whenConnecting: notPublic, withPrivateNetworks: 'refused' };
const privately: Outcome = { ...never, withPrivateNetworks: 'let in' };
const malformed: Outcome = { ...never, whenConnecting: 'not a valid address' };

const hosts = (group: string, outcome: Outcome, list: readonly string[]): OutboundCase[] =>
  list.map((host) => ({ group, url: `https://${host}/`, ...outcome }));

const names = (
  group: string,
  withPrivateNetworks: OutboundCase['withPrivateNetworks'],
  lists: readonly (readonly string[])[],
): OutboundCase[] =>
  lists.map((resolvesTo) => ({
    group,
    url: 'https://partner.example/',
    resolvesTo,
    whenRegistered: 'accepted',
    whenConnecting: notPublic,
    withPrivateNetworks,
  }));

/** None of these is ever connected to. */
export const refusedCases: readonly OutboundCase[] = [
  ...hosts('loopback in every spelling of IPv4', privately, [
    ...['127.0.0.1', '127.255.255.254', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7F.1', '0177.0.0.1'],
    ...['017700000001', '0x7f.0x0.0x0.0x1', '127.0.0.1.', '%31%32%37.0.0.1', '127%2e0%2e0%2e1'],
    ...['１２７.０.０.１', '127。0。0。1', '①②⑦.0.0.1', '127.0.0.1:8443', '127.0.0.1:22'],
  ]),
  ...['localhost', 'LOCALHOST', 'localhost.', 'hooks.localhost', 'ⓛocalhost', 'localhost%2E'].map((host) => ({
    group: 'names that mean the loopback',
    url: `https://${host}/`,
    resolvesTo: ['127.0.0.1', '::1'],
    ...privately,
  })),
  ...hosts('private IPv4 networks', privately, [
    ...['10.0.0.1', '10.255.255.255', '0xa000001', '167772161', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
    ...['100.64.0.1', '100.127.255.255'],
  ]),
  ...hosts('credentials of cloud machines', never, [
    ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518', '100.100.100.200'],
    ...[
      '168.63.129.16',
      '192.0.0.192',
      '[fd00:ec2::254]',
      '[fd00:ec2::23]',
      '[fd20:ce::254]',
      '[fd00:42::42]',
      '[fe80::a9fe:a9fe]',
    ],
    ...['[::ffff:169.254.169.254]', '[64:ff9b::169.254.169.254]', '[2002:a9fe:a9fe::]'],
  ]),
  ...hosts('link-local, multicast, broadcast, unspecified', never, [
    ...['169.254.0.1', '0.0.0.0', '0', '0.1.2.3', '224.0.0.1', '239.255.255.255', '255.255.255.255'],
    ...['[::]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[ff02::1]', '[ff0e::1]'],
  ]),
  ...hosts('reserved for documents, measurements and protocols', never, [
    ...['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '192.0.0.1', '192.88.99.1'],
    ...['192.31.196.1', '192.52.193.1', '192.175.48.1', '240.0.0.1', '[2001:db8::1]', '[3fff::1]', '[2001:2::1]'],
    ...['[2001:10::1]', '[2001:20::1]', '[100::1]', '[5f00::1]', '[4000::1]', '[2620:4f:8000::1]'],
  ]),
  ...hosts('loopback and private IPv6', privately, [
    ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[fc00::1]', '[fdff::1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:10.0.0.1]', '[0:0:0:0:0:ffff:c0a8:1]'],
  ]),
  ...hosts('IPv4 inside IPv6', never, [
    ...['[::127.0.0.1]', '[::7f00:1]', '[::8.8.8.8]', '[::ffff:0:127.0.0.1]', '[64:ff9b::127.0.0.1]'],
    ...['[64:ff9b::10.0.0.1]', '[64:ff9b::8.8.8.8]', '[64:ff9b:1::10.0.0.1]', '[2002:7f00:1::]', '[2002:a00:1::1]'],
    '[2001:0:4136:e378:8000:63bf:80ff:fffe]',
  ]),
  ...hosts('no host at all', malformed, [
    ...['[fe80::1%25eth0]', '[::1%25lo]', '[fe80::1%eth0]', '256.0.0.1', '1.2.3.4.5', '4294967296', '[::1].', '[::g]'],
    ...['127.0.0.1%00.partner.example', 'partner.example%40127.0.0.1', 'par tner.example'],
  ]),
  ...names('names of private addresses', 'let in', [['127.0.0.1'], ['10.0.0.1'], ['::1'], ['fd00::1']]),
  ...names('names of private addresses, wrapped', 'let in', [['::ffff:127.0.0.1'], ['::ffff:7f00:1']]),
  ...names('names of what nobody may reach', 'refused', [
    ...[['169.254.169.254'], ['fe80::1%eth0'], ['0.0.0.0'], ['::'], ['::127.0.0.1'], ['64:ff9b::7f00:1']],
    ...[['2002:7f00:1::'], ['fd00:ec2::254'], ['not an address']],
  ]),
  ...names('names with public and private addresses', 'let in', [
    ['8.8.8.8', '10.0.0.1'],
    ['10.0.0.1', '8.8.8.8'],
    ['2606:4700::1111', '::1'],
  ]),
  ...names('names with public and forbidden addresses', 'refused', [['8.8.8.8', '169.254.169.254']]),
  {
    group: 'names that do not exist',
    url: 'https://partner.example/',
    resolvesTo: [],
    whenRegistered: 'accepted',
    whenConnecting: 'host name not found',
    withPrivateNetworks: 'refused',
  },
  ...['http://partner.example/', 'HTTP://partner.example/', 'ftp://partner.example/', 'file:///etc/passwd'].map(
    (url) => ({ group: 'not HTTPS', url, ...never, whenConnecting: 'only HTTPS is allowed' }),
  ),
];

/** What passes where its neighbours don't: the guard's edges. */
export const allowedHosts: readonly string[] = [
  ...['8.8.8.8', '1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.1'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '223.255.255.255', '[2606:4700:4700::1111]', '[::ffff:8.8.8.8]'],
  ...['[2001:4860:4860::8888]', 'partner.example', 'partner.example.', 'partner.example:8443', 'partner.example:1'],
  ...[
    'partner.example:65535',
    'localhost.partner.example',
    'mylocalhost',
    'bücher.example',
    '127.0.0.1.partner.example',
  ],
];

/** Refused when registered, because of the URL itself. */
export const refusedUrls: readonly (readonly [url: string, message: string])[] = [
  ['https://user:secret@partner.example/', 'must be an HTTPS URL: it must not hold a user name or password'],
  ['https://user@partner.example/', 'must be an HTTPS URL: it must not hold a user name or password'],
  ['https://:secret@partner.example/', 'must be an HTTPS URL: it must not hold a user name or password'],
  ['https://127.0.0.1:443@partner.example/', 'must be an HTTPS URL: it must not hold a user name or password'],
  ['https://partner.example/hook#part', 'must not have a fragment (#): it is never sent'],
  ['https://partner.example/hook#', 'must not have a fragment (#): it is never sent'],
  ['https:\\\\partner.example\\', 'must be an HTTPS URL: it has a backslash: write /'],
  ['https://partner.example\\@127.0.0.1/', 'must be an HTTPS URL: it has a backslash: write /'],
  ['https:///partner.example/', 'must be an HTTPS URL: two slashes and a host follow https:'],
  ['https:partner.example', 'must be an HTTPS URL: two slashes and a host follow https:'],
  [' https://partner.example/', 'must be an HTTPS URL: it begins or ends with a blank'],
  ['https://partner.example/a b', 'must be an HTTPS URL: it has a space: write %20'],
  ['https://partner.example/\r\nx-injected: 1', 'must be an HTTPS URL: it has a control character'],
  ['https://partner.example:65536/', 'must be an HTTPS URL: its host or port is not valid'],
  ['//partner.example/', 'must be an HTTPS URL: it does not begin with https://'],
  ['', 'must be an HTTPS URL: it is empty'],
  [`https://partner.example/${'a'.repeat(2_025)}`, 'must be at most 2048 characters'],
];

/** The longest that is taken. */
export const longestUrl = `https://partner.example/${'a'.repeat(2_024)}`;
