import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import { type Attempt, isAnswered } from './attempt.ts';
import { type Door, type Input, lookUp, poll, search } from './client.ts';
import { COMPANIES_PER_WORD, hostOf, WORDS } from './evidence.ts';

/** Pause after an answer. Clients are closed-loop, because the machine has few cores. */
const BREATH_MS = 60;
const MAX_CACHED = 60;

interface Submitted {
  readonly door: Door;
  readonly key: string;
  readonly input: Input | readonly string[];
  usageId?: number;
}

const MIX = [
  ['search', 40],
  ['background', 20],
  ['look up', 15],
  ['poll', 10],
  ['retry', 10],
  ['conflict', 5],
] as const;

type Kind = (typeof MIX)[number][0];

/** Runs closed-loop clients until disposal, and passes every call to `tell`. */
export function startClients(
  count: number,
  doors: readonly Door[],
  random: Random,
  tell: (attempt: Attempt) => void,
): AsyncDisposable {
  const submitted: Submitted[] = [];
  const stop = new AbortController();
  const client = async (at: number) => {
    const own = random.branch(`client ${at}`);
    for (let turn = 0; !stop.signal.aborted; turn += 1) {
      const attempt = await callOnce(own, doors, submitted, `${own.below(1_000_000)}-${at}-${turn}`);
      if (attempt) tell(attempt);
      await pause(BREATH_MS * (0.5 + own.next()));
    }
  };
  const clients = Promise.all(Array.from({ length: count }, (_, at) => client(at)));
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await clients;
    },
  };
}

async function callOnce(
  random: Random,
  doors: readonly Door[],
  submitted: Submitted[],
  name: string,
): Promise<Attempt | undefined> {
  const kind = kindOf(random);
  const door = throughEither(random.pick(doors), random);
  switch (kind) {
    case 'search':
      return await submit(submitted, { door, key: `s${name}`, input: searchInput(random, false) });
    case 'background':
      return await submit(submitted, { door, key: `b${name}`, input: searchInput(random, true) });
    case 'look up':
      return await submit(submitted, { door, key: `l${name}`, input: domainsOf(random) });
    case 'poll': {
      const known = submitted.filter(({ usageId }) => usageId !== undefined);
      const chosen = known.length > 0 ? random.pick(known) : undefined;
      if (chosen?.usageId === undefined) return undefined;
      return await poll(elsewhere(chosen.door, doors, random), chosen.usageId);
    }
    case 'retry': {
      const chosen = submitted.length > 0 ? random.pick(submitted) : undefined;
      return chosen && (await submit(submitted, { ...chosen, door: elsewhere(chosen.door, doors, random) }));
    }
    case 'conflict': {
      const searches = submitted.filter(({ input }) => !Array.isArray(input));
      const chosen = searches.length > 0 ? random.pick(searches) : undefined;
      const other = { query: `something else ${name}`, limit: 2 };
      return chosen && (await search(elsewhere(chosen.door, doors, random), other, chosen.key));
    }
  }
}

async function submit(submitted: Submitted[], call: Submitted): Promise<Attempt> {
  submitted.push(call);
  if (submitted.length > MAX_CACHED) submitted.shift();
  const { door, input, key } = call;
  const isLookUp = (value: Submitted['input']): value is readonly string[] => Array.isArray(value);
  const attempt = await (isLookUp(input) ? lookUp(door, input, key) : search(door, input, key));
  if (isAnswered(attempt) && attempt.outcome.body.usage) call.usageId = attempt.outcome.body.usage.id;
  return attempt;
}

function kindOf(random: Random): Kind {
  let left = random.below(100);
  for (const [kind, share] of MIX) {
    if (left < share) return kind;
    left -= share;
  }
  return 'search';
}

function searchInput(random: Random, background: boolean): Input {
  const limit = 1 + random.below(5);
  return { query: random.pick(WORDS), limit, ...(background && { background }) };
}

function domainsOf(random: Random): readonly string[] {
  const one = () => hostOf(`base${random.below(WORDS.length)}x${random.below(COMPANIES_PER_WORD + 2)}`);
  return [...new Set(Array.from({ length: 1 + random.below(4) }, one))];
}

function elsewhere(door: Door, doors: readonly Door[], random: Random): Door {
  return throughEither(random.pick(doors.filter(({ accountId }) => accountId === door.accountId)), random);
}

function throughEither(door: Door, random: Random): Door {
  return { ...door, surface: random.chance(0.5) ? 'rest' : 'mcp' };
}
