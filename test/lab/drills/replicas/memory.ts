import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../support/random.ts';
import { failedCalls } from '../rolling/traffic.ts';
import { type NamedStack, startNamedStack } from './named-stack.ts';
import { type Memory, readMemory } from './process-memory.ts';
import { SteadyLoad } from './steady-load.ts';

export interface MemoryUse {
  readonly idle: Readonly<Record<string, number>>;
  readonly loaded: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly failed: number;
}

const IDLE_MS = 10_000;
const LOAD_MS = 30_000;
const SAMPLED_MS = 10_000;
const SAMPLE_EVERY_MS = 1_000;

export async function measureMemory(
  stack: NamedStack,
  rate: number,
  random: Random,
  signal: AbortSignal,
): Promise<MemoryUse> {
  await pause(IDLE_MS, undefined, { signal });
  const idle = residentOf(await sample(stack));
  const load = new SteadyLoad('memory', stack, rate, random);
  const samples: Sample[] = [];
  await pause(LOAD_MS - SAMPLED_MS, undefined, { signal });
  for (const until = Date.now() + SAMPLED_MS; Date.now() < until; ) {
    samples.push(await sample(stack));
    await pause(SAMPLE_EVERY_MS, undefined, { signal });
  }
  const attempts = await load.stop();
  return {
    idle,
    loaded: meanOf(samples.map(residentOf)),
    calls: attempts.length,
    failed: failedCalls(attempts).length,
  };
}

export async function measureMemoryOf(tree: string, rate: number, random: Random, signal: AbortSignal) {
  await using stack = await startNamedStack({ random, tree, findBy: 'address' });
  return await measureMemory(stack, rate, random.branch('memory'), signal);
}

type Sample = Readonly<Record<string, Memory>>;

async function sample({ replicas }: NamedStack): Promise<Sample> {
  const read = [...replicas].map(async ([name, { oldest }]) => [name, await readMemory(oldest.pid)] as const);
  return Object.fromEntries(await Promise.all(read));
}

function residentOf(memory: Sample): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(memory).map(([name, { resident }]) => [name, resident]));
}

function meanOf(samples: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const names = Object.keys(samples[0] ?? {});
  const mean = (name: string) => samples.reduce((sum, one) => sum + (one[name] ?? 0), 0) / samples.length;
  return Object.fromEntries(names.map((name) => [name, mean(name)]));
}
