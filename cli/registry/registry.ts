import { Command } from 'commander';
import type { probeVehicleRegistry } from '../../compose/vehicle-registry.ts';
import { normalisePlate } from '../../features/vehicles/rules/vehicle.ts';
import { exitCodes, UsageError } from '../exit-codes.ts';
import { table } from '../ops/open-operations.ts';
import { addHomeOption, readReadyFile } from '../running-system.ts';

interface ProbeOptions {
  readonly home: string;
  readonly json: boolean;
}

/** `itembridge registry probe PLATE`. Exit code 0 when a vehicle was read, 3 when there was no answer, else 1. */
const probeCommand = addHomeOption(new Command('probe'))
  .description('look one plate up, and show what came and how it was read; no names or debts of owners')
  .argument('<plate>', 'a plate that exists')
  .option('--json', 'output for programs: JSON', false)
  .action(probe);

/** `itembridge registry …`: with the settings of the service (docs/deployment.md "The vehicle registry"). */
export const registryCommand = new Command('registry')
  .description('try the vehicle registry that is configured')
  .addCommand(probeCommand);

type Probe = NonNullable<Awaited<ReturnType<typeof probeVehicleRegistry>>>;

async function probe(given: string, { home, json }: ProbeOptions): Promise<void> {
  const plate = normalisePlate(given);
  if (plate === undefined) throw new UsageError(`${given} is no Swedish registration plate.`);
  const { probeVehicleRegistry: ask } = await import('../../compose/vehicle-registry.ts');
  const probed = await ask(await readSettings(home), plate);
  if (probed === null)
    throw new UsageError('Look-ups are off: set VEHICLE_REGISTRY (biluppgifter or tic) and VEHICLE_REGISTRY_API_KEY.');
  console.log(json ? JSON.stringify(probed) : describe(probed));
  if (probed.outcome === 'vehicle') return;
  process.exitCode = probed.answer === null ? exitCodes.unfinished : exitCodes.someFailed;
}

/** Without a key in the environment the simulator of `npm start` is asked, in whichever form VEHICLE_REGISTRY names. */
async function readSettings(home: string) {
  const { loadVehicleRegistryConfig } = await import('../../compose/config.ts');
  const { ConfigError } = await import('../../compose/read-settings.ts');
  try {
    return loadVehicleRegistryConfig(readReadyFile(home)?.vehicleRegistry);
  } catch (error) {
    if (error instanceof ConfigError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** For people: the call, what came, what was not read, and the vehicle or why there is none. */
function describe({ outcome, reason, answer, vehicle }: Probe): string {
  const limits = Object.entries(answer?.limits ?? {}).map(([name, value]) => `${name}: ${value}`);
  const lines = [
    ...(answer === null ? [] : [`GET ${answer.url}`, ['HTTP', answer.status, ...limits].join(' ')]),
    section('What came, of several the first counts', describeCame(answer)),
    section('Came, and was not read', (answer?.notRead ?? []).map((name) => `  ${name}`).join('\n')),
    vehicle === null
      ? `No vehicle (${outcome}): ${reason ?? ''}.${outcome === 'unknown_plate' ? ' If it exists, VEHICLE_REGISTRY_URL is wrong.' : ''}`
      : section(
          'Read as',
          table(
            ['FIELD', 'VALUE'],
            Object.entries(vehicle).map(([name, value]) => [name, String(value)]),
          ),
        ),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

const describeCame = (answer: Probe['answer']): string =>
  table(
    ['FIELD', 'PLACE', 'VALUE'],
    (answer?.came ?? []).map(({ field, place, value }) => [field, place, value]),
  );

const section = (title: string, text: string): string => (text === '' ? '' : `\n${title}\n${text}`);
