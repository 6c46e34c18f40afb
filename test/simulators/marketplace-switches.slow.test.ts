import test, { type ExecutionContext } from 'ava';
import { switchPositions, type SwitchChanges } from '../../simulators/marketplace/switches.ts';
import { driveEveryOperation } from '../contracts/every-operation.ts';
import { problemsOfAnswer } from '../contracts/marketplace-v4.ts';
import { sellerOf } from './support/seller.ts';
import { otherPositions, switchBehaviours } from './support/switch-behaviours.ts';

/** Whatever the switches say, every answer is one that the table allows. */
async function answersAsTheTableSays(t: ExecutionContext, switches: SwitchChanges): Promise<void> {
  for (const { name, sent, answer } of await driveEveryOperation(await sellerOf(t, { switches })))
    t.deepEqual(problemsOfAnswer(name, answer), [], `${sent.method} ${sent.path} ${answer.text.slice(0, 200)}`);
}

for (const [name, positions] of Object.entries(switchPositions))
  for (const position of positions.slice(1))
    test(`${name} alone is ${position}`, async (t) => {
      const switches = { [name]: position };
      const behaviour = Object.entries(switchBehaviours).find(([candidate]) => candidate === name)?.[1][position];
      t.truthy(behaviour);
      await behaviour?.(t, await sellerOf(t, { switches }));
      await answersAsTheTableSays(t, switches);
    });

test('all switches together are in their other positions', async (t) => {
  for (const [name, behaviours] of Object.entries(switchBehaviours)) {
    const behaviour = behaviours[otherPositions[name] ?? ''];
    t.truthy(behaviour, name);
    await behaviour?.(t, await sellerOf(t, { switches: otherPositions }));
  }
  await answersAsTheTableSays(t, otherPositions);
});
