import { join } from 'node:path';
import { fieldsOf, type Fields } from './kit/fields.ts';
import type { TlsFiles } from './kit/start-simulator.ts';
import { budgetScopes, type CallLimit } from './marketplace/records/call-budget.ts';
import type { ConsentSettings } from './marketplace/pages/login-page.ts';
import type { SwitchChanges } from './marketplace/switches.ts';
import type { Application } from './marketplace/wire/wire-routes.ts';

export const simulatorNames = [
  'marketplace',
  'vehicleRegistry',
  'payments',
  'ai',
  'images',
  'webhookReceiver',
  'mail',
] as const;
export type SimulatorName = (typeof simulatorNames)[number];

/**
 * The content of `--config`; everything is optional. `dataDir` (each simulator gets its own folder below it), `ports`
 * by simulator, `application` `{appId, appKey}` of the marketplace and `tls` apply to all. `marketplace`, `payments`
 * and so on hold the settings of one simulator, which override them.
 */
export interface SimulatorsConfig {
  readonly tls: TlsFiles | undefined;
  readonly application: Partial<Application> | undefined;
  readonly marketplace: MarketplaceSettings;
  settings(name: SimulatorName): SimulatorSettings;
}

export interface MarketplaceSettings {
  readonly callLimit: CallLimit | undefined;
  readonly consent: ConsentSettings;
  readonly switches: SwitchChanges;
}

export interface SimulatorSettings {
  readonly port: number | undefined;
  readonly dataDir: string | undefined;
  text(setting: string): string | undefined;
  number(setting: string): number | undefined;
}

const known: Readonly<Record<SimulatorName, readonly string[]>> = {
  marketplace: [
    ...['port', 'dataDir', 'application', 'processingDelayMs'],
    ...['siteUrl', 'tokenLifeDays', 'callLimit', 'consent', 'switches'],
  ],
  vehicleRegistry: ['port', 'apiKey'],
  payments: ['port', 'dataDir', 'secretKey', 'webhookUrl', 'webhookSecret'],
  ai: ['port', 'apiKey'],
  images: ['port', 'folder'],
  webhookReceiver: ['port', 'dataDir'],
  mail: ['port', 'smtpPort'],
};

/** Throws an error that names the problem. Unknown settings are refused, because they may be misspelt. */
export function parseSimulatorsConfig(json: string): SimulatorsConfig {
  const value: unknown = JSON.parse(json);
  refuseUnknown(value, ['tls', 'dataDir', 'ports', 'application', ...simulatorNames], '');
  const top = fieldsOf(value);
  const ports = top.has('ports') ? top.object('ports') : undefined;
  if (ports !== undefined) refuseUnknown(top.raw('ports'), simulatorNames, 'ports.');
  const baseDir = optionalText(top, 'dataDir');
  const tls = top.has('tls') ? top.object('tls') : undefined;
  for (const name of simulatorNames) if (top.has(name)) refuseUnknown(top.raw(name), known[name], `${name}.`);
  const application =
    top.has('marketplace') && top.object('marketplace').has('application') ? top.object('marketplace') : top;
  return {
    tls:
      tls === undefined
        ? undefined
        : { keyFile: tls.text('keyFile', { min: 1 }), certFile: tls.text('certFile', { min: 1 }) },
    application: application.has('application') ? readApplication(application.object('application')) : undefined,
    marketplace: readMarketplace(top.has('marketplace') ? top.object('marketplace') : fieldsOf({})),
    settings(name) {
      const own = top.has(name) ? top.object(name) : fieldsOf({});
      return {
        port: readPort(own, 'port') ?? (ports === undefined ? undefined : readPort(ports, name)),
        dataDir: optionalText(own, 'dataDir') ?? (baseDir === undefined ? undefined : join(baseDir, name)),
        text: (setting) => optionalText(own, setting),
        number: (setting) => (own.has(setting) ? own.number(setting) : undefined),
      };
    },
  };
}

function refuseUnknown(value: unknown, names: readonly string[], prefix: string): void {
  const unknown = Object.keys(Object(value)).filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new Error(`unknown setting ${prefix}${unknown.join(', ')}; known are ${names.join(', ')}`);
}

function readApplication(fields: Fields): Partial<Application> {
  const publicKey = optionalText(fields, 'publicKey');
  const secrets = { appId: fields.text('appId', { min: 1 }), appKey: fields.text('appKey', { min: 1 }) };
  return { ...secrets, ...(publicKey === undefined ? {} : { publicKey }) };
}

function readMarketplace(own: Fields): MarketplaceSettings {
  const limit = own.has('callLimit') ? own.object('callLimit') : undefined;
  const consent = own.has('consent') ? own.object('consent') : fieldsOf({});
  const switches = own.has('switches') ? own.object('switches') : fieldsOf({});
  const names = Object.keys(Object(own.raw('switches')));
  return {
    callLimit: limit && {
      callsPerDay: limit.number('callsPerDay', { whole: true }),
      per: limit.has('per') ? limit.oneOf('per', budgetScopes) : 'method',
    },
    consent: {
      acceptUrl: optionalText(consent, 'acceptUrl'),
      rejectUrl: optionalText(consent, 'rejectUrl'),
      displayToken: consent.has('displayToken') && consent.flag('displayToken'),
    },
    switches: Object.fromEntries(names.map((name) => [name, switches.text(name)])),
  };
}

function readPort(fields: Fields, name: string): number | undefined {
  return fields.has(name) ? fields.number(name, { whole: true, max: 65_535 }) : undefined;
}

function optionalText(fields: Fields, name: string): string | undefined {
  return fields.has(name) ? fields.text(name, { min: 1 }) : undefined;
}
