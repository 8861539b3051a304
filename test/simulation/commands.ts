import fc from 'fast-check';
import {
  endLeases,
  type LedgerWeather,
  lookUp,
  type Model,
  poll,
  type Real,
  type SearchWeather,
  setWeather,
  submit,
} from './model.ts';

type Command = fc.AsyncCommand<Model, Real>;

const KEYS = ['a', 'b', 'c'];
const INPUTS = ['steel', 'timber'];
/** Request keys and inputs of lookups, which are charged without a hold. */
const LOOK_UP_KEYS = ['x', 'y'];
const LOOK_UP_INPUTS = ['1', '2'];

export const commands: fc.Arbitrary<Command>[] = [
  fc
    .record({
      key: fc.constantFrom(...KEYS),
      input: fc.constantFrom(...INPUTS),
      process: fc.nat({ max: 1 }),
      background: fc.boolean(),
    })
    .map(({ key, input, process, background }) =>
      command(`submit(${key}, ${input}, process ${process}${background ? ', background' : ''})`, (model, real) =>
        submit(model, real, key, input, process, background),
      ),
    ),
  fc.constantFrom(...KEYS).map((key) =>
    command(`submitTwice(${key})`, async (model, real) => {
      const input = model.keys.get(key)?.input ?? 'steel';
      await Promise.all([0, 1].map((process) => submit(model, real, key, input, process, process === 0)));
    }),
  ),
  fc
    .record({
      key: fc.constantFrom(...LOOK_UP_KEYS),
      input: fc.constantFrom(...LOOK_UP_INPUTS),
      process: fc.nat({ max: 1 }),
      twice: fc.boolean(),
    })
    .map(({ key, input, process, twice }) =>
      command(`lookUp(${key}, ${input}, ${twice ? 'both processes' : `process ${process}`})`, async (model, real) => {
        const processes = twice ? [0, 1] : [process];
        await Promise.all(processes.map((one) => lookUp(model, real, key, input, one)));
      }),
    ),
  fc
    .constantFrom(...KEYS, ...LOOK_UP_KEYS)
    .map((key) => command(`poll(${key})`, (model, real) => poll(model, real, key))),
  fc.constantFrom<LedgerWeather>('fine', 'away', 'replies lost').map((ledger) =>
    command(`ledger(${ledger})`, async (model, real) => {
      model.ledger = ledger;
      setWeather(real, model);
    }),
  ),
  fc.constantFrom<SearchWeather>('fine', 'slow', 'away', 'without a plan').map((search) =>
    command(`search(${search})`, async (model, real) => {
      model.search = search;
      setWeather(real, model);
    }),
  ),
  fc.constant(command('leasesEnd()', (_, real) => endLeases(real))),
  fc.constantFrom(...KEYS).map((key) =>
    command(`deadlinePasses(${key})`, async (_, { stack, prefix }) => {
      // Locks the job first, like every statement: a trigger copies the deadline to it.
      await stack.db.query(
        `with locked as (
           select from job join operation o on o.id = operation_id where o.request_key = $1 order by operation_id for update of job
         )
         update operation set deadline_at = clock_timestamp() where request_key = $1 and (select count(*) from locked) >= 0`,
        [`${prefix}${key}`],
      );
    }),
  ),
];

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}
