import { readFileSync } from 'node:fs';
import type { CesError } from '@ces/client';
import { visibleText } from '@ces/proto/visible-text';
import { Command, CommanderError } from 'commander';
import type { Runner, World } from './command.ts';
import { type Opener, openOperatorContext, openSubscriberContext } from './contexts.ts';
import { asJson } from './output/json.ts';
import { Refusal, UsageError } from './refusal.ts';
import { ACCOUNT_VERBS, OPERATOR_VERBS, SHELL_VERBS, SUBSCRIBER_VERBS, type Verb } from './verbs.ts';

const USAGE_ERROR = 2;
const COMPLETE = 'complete';
/** The plural of a verb means the same. */
const ALIASES: Readonly<Record<string, string>> = { source: 'sources' };

/** Runs one command line; returns the exit code: 0 done, 1 refused, 2 wrong usage. */
export async function run(argv: readonly string[], world: World): Promise<number> {
  let exitCode = 0;
  const runnerFor: RunnerMaker =
    (open) =>
    (action) =>
    async (...parameters) => {
      const context = await open(world, verbIn(parameters));
      const answer = await action(context, ...parameters);
      if (!answer) return;
      world.stdout.write(wantsJson(argv) ? writeJson(answer.json) : `${visibleText(answer.text)}\n`);
      if (answer.failed) exitCode = 1;
    };
  const asked = asHelpOption(argv);
  const program = await createProgram(runnerFor, world, namedIn(asked));
  try {
    await program.parseAsync(asked, { from: 'user' });
    if (exitCode === 0 && world.stderr.isTTY && isOfSubscribers(verbOf(asked)))
      (await import('./completion/hint.ts')).hintAtCompletion(world);
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_ERROR;
    return await report(error, argv, world);
  }
}

/** `ces help search` means `ces search --help`. */
function asHelpOption(argv: readonly string[]): readonly string[] {
  return argv[0] === 'help' ? [...argv.slice(1), '--help'] : argv;
}

export type RunnerMaker = <C>(open: Opener<C>) => Runner<C>;

/** Loads only the modules that `isAsked` selects. */
export async function createProgram(
  runnerFor: RunnerMaker,
  world: Pick<World, 'stdout' | 'stderr'>,
  isAsked: (name: string) => boolean = () => true,
): Promise<Command> {
  const program = new Command('ces')
    .description('Use and operate Company Evidence Search.')
    .version(readVersion(), '--version', 'display the version')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
    })
    .showHelpAfterError('(add --help for arguments and examples)');
  const add = async <C>(heading: string, verbs: readonly Verb<C>[], run: Runner<C>) => {
    program.commandsGroup(heading);
    for (const [name, summary, load] of verbs) {
      const command = program
        .command(name, { hidden: name === COMPLETE })
        .description(summary)
        .helpCommand(false);
      if (ALIASES[name]) command.alias(ALIASES[name]);
      if (isAsked(name)) (await load()).define(command, run);
    }
  };
  await add('Subscribers:', SUBSCRIBER_VERBS, runnerFor(openSubscriberContext));
  await add('This shell:', SHELL_VERBS, runnerFor(openSubscriberContext));
  await add('Accounts:', ACCOUNT_VERBS, runnerFor(openOperatorContext));
  await add('Operators:', OPERATOR_VERBS, runnerFor(openOperatorContext));
  return program;
}

/** The verb is the first argument that is no option; for completion it may be any of the words. */
function namedIn(argv: readonly string[]): (name: string) => boolean {
  if (argv[0] === COMPLETE) return (name) => argv.includes(name) || argv.includes(ALIASES[name] ?? name);
  const verb = verbOf(argv);
  return (name) => name === verb;
}

function verbOf(argv: readonly string[]): string | undefined {
  const first = argv.find((argument) => !argument.startsWith('-'));
  return Object.keys(ALIASES).find((name) => ALIASES[name] === first) ?? first;
}

function isOfSubscribers(verb: string | undefined): boolean {
  return SUBSCRIBER_VERBS.some(([name]) => name === verb);
}

function verbIn(parameters: readonly unknown[]): Command {
  const verb = parameters.at(-1);
  if (verb instanceof Command) return verb;
  throw new TypeError('commander called an action without its command');
}

function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return version;
}

async function report(error: unknown, argv: readonly string[], world: World): Promise<number> {
  const refusal = await refusalOf(error, world, verbOf(argv) ?? '');
  if (wantsJson(argv)) world.stdout.write(writeJson(refusal.body));
  world.stderr.write(`ces: ${visibleText(refusal.message)}\n`);
  if (world.env.CES_DEBUG && refusal.cause instanceof Error) world.stderr.write(`${refusal.cause.stack}\n`);
  return refusal instanceof UsageError ? USAGE_ERROR : 1;
}

/** Imports the modules that convert gateway and RPC errors only when such an error occurs. */
async function refusalOf(error: unknown, world: World, verb: string): Promise<Refusal> {
  if (error instanceof Refusal) return error;
  if (error instanceof Error && error.name === 'CesError')
    return (await import('./subscriber/gateway-refusal.ts')).gatewayRefusal(error as CesError, world.env, verb);
  return (await import('./operator/rpc-refusal.ts')).refusalOf(error);
}

function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return argv.slice(0, end < 0 ? undefined : end).includes('--json');
}

function writeJson(value: unknown): string {
  return `${asJson(value, 2)}\n`;
}
