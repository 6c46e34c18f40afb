import { sandboxSettings, startApiWorld, type ApiWorld } from '../../../test/support/api-world.ts';
import { consentingLogin } from '../../../test/support/consenting-login.ts';
import { aProcessor } from './a-processor.ts';
import { kindsOf, type Kind } from './attackers.ts';
import { assemble, asVictim, type Cast } from './cast.ts';
import { belongingsOf, linksOf } from './belongings.ts';
import type { Inspection } from './inspect.ts';
import { operations } from './operations.ts';
import { inspectOwn, useIdempotencyKeys } from './owner.ts';
import { startMarketplaceSimulator } from '../../../simulators/marketplace/start-marketplace-simulator.ts';
import { aPerson } from './people.ts';
import { createShadows } from './traces.ts';
import { watchWrites } from './write-watch.ts';

export interface IsolationWorld {
  readonly world: ApiWorld;
  readonly cast: Cast;
  readonly inspection: Inspection;
  readonly kinds: readonly Kind[];
  readonly inspectOwn: () => ReturnType<typeof inspectOwn>;
  readonly close: () => Promise<void>;
}

const aVehicle = { make: 'Volvo', model: 'V70', year: 2012, fuelType: 'diesel', color: 'Blå' } as const;

/** The API with everybody in it, and a watch over everything that is written from now on. */
export async function startIsolationWorld(): Promise<IsolationWorld> {
  const market = await startMarketplaceSimulator();
  const world = await startApiWorld({
    allowPrivateNetworks: true,
    sendsMail: true,
    payments: aProcessor,
    vehicleRegistry: { lookUp: (plate) => Promise.resolve({ registrationPlate: plate, ...aVehicle }) },
    replace: () => ({ login: consentingLogin }),
    sandbox: sandboxSettings(market.url),
  });
  const cast = await assemble(world);
  const keyed = await useIdempotencyKeys(world, operations, await belongingsOf(world, cast.victim));
  const watch = await watchWrites(world.store);
  const [victim, leaver, member] = [
    await asVictim(world, cast.victim),
    await asVictim(world, cast.leaver),
    await asVictim(world, cast.member),
  ];
  const shadow = createShadows();
  const inspection: Inspection = {
    world,
    watch,
    victims: { victim, leaver, member },
    shadow,
    keyed,
    operations,
    sentBy: new Map(),
  };
  return {
    world,
    cast,
    inspection,
    kinds: kindsOf(cast, shadow),
    inspectOwn: async () => {
      const belongings = await belongingsOf(world, cast.owner);
      const account = await aPerson(world);
      const newcomer = { ...belongings, account, ...(await linksOf(world, account)) };
      return inspectOwn(inspection, [belongings, await belongingsOf(world, cast.leaver), newcomer]);
    },
    close: async () => {
      await watch.close();
      await world.close();
      await Promise.all([cast.close(), market.close()]);
    },
  };
}
