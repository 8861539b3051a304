import { readSettings } from '@ces/chassis/service/settings';
import type { Command } from 'commander';
import { isChange, systemClock, type World } from './command.ts';
import { subscriberSettings } from './config.ts';
import type { Context } from './operator/context.ts';
import { UsageError } from './refusal.ts';
import type { SubscriberContext } from './subscriber/context.ts';

export type Opener<C> = (world: World, verb: Command) => Promise<C>;

export async function openSubscriberContext(world: World, verb: Command): Promise<SubscriberContext> {
  const { openGateway } = await import('./subscriber/gateway.ts');
  const config = readSettings(subscriberSettings, world.env);
  return {
    ...world,
    clock: world.clock ?? systemClock,
    dataDirectory: config.dataDirectory,
    gateway: (options) => openGateway(world.env, options, (line) => world.stderr.write(`${line}\n`)),
    openStack: async () => (await openOperatorContext(world, verb)).stack,
  };
}

/** Imports the RPC code, the largest part of the program, on demand. */
export async function openOperatorContext(world: World, verb: Command): Promise<Context> {
  const [{ settings }, { findStack }] = await Promise.all([
    import('./operator/config.ts'),
    import('./operator/stack.ts'),
  ]);
  const config = readSettings(settings, world.env);
  const reason = reasonOf(verb, config.reason);
  const { clock = systemClock } = world;
  return { ...world, clock, stack: findStack(config, reason), reason, dataDirectory: config.dataDirectory };
}

function reasonOf(verb: Command, usual: string | undefined): string {
  const { reason: said } = verb.opts<{ reason?: string }>();
  const reason = (verb.getOptionValueSource('reason') === 'cli' ? said : (usual ?? said)) ?? '';
  if (reason.trim() === '' && isChange(verb))
    throw new UsageError('Add --reason "…" or set CES_REASON. The audit log stores it with your name.');
  return reason.trim();
}
