import type { World } from '../command.ts';
import { PLANS, type Plan } from '../operator/plans.ts';
import { openQuestions, type Questions } from '../questions.ts';

export interface InitRequest {
  readonly name: string;
  readonly plan: Plan;
  readonly mode: Mode;
  readonly keyFile: string | undefined;
}

export const MODES = ['live', 'test'] as const;
type Mode = (typeof MODES)[number];

export interface InitOptions {
  readonly name?: string;
  readonly plan?: Plan;
  readonly mode?: Mode;
  readonly keyFile?: string;
  readonly print?: boolean;
  readonly yes?: boolean;
}

const USUAL = { name: 'My company', plan: 'builder', mode: 'live', keyFile: 'ces.key' } as const;
const NOT_INTERACTIVE =
  'There is no terminal for questions: add --yes for the defaults, and --name, --plan, --mode, --key-file or --print for other values.';

export async function readInitRequest(given: InitOptions, world: World): Promise<InitRequest> {
  const { name, plan, mode, keyFile, print } = given;
  const isKeyKnown = keyFile !== undefined || print === true;
  const isAllKnown = name !== undefined && plan !== undefined && mode !== undefined && isKeyKnown;
  const questions = given.yes || isAllKnown ? undefined : await openQuestions(world, NOT_INTERACTIVE);
  return {
    name: name ?? (await questions?.text('Name of the account?', USUAL.name)) ?? USUAL.name,
    plan: plan ?? (await askPlan(questions)) ?? USUAL.plan,
    mode: mode ?? (await askMode(questions)) ?? USUAL.mode,
    keyFile: isKeyKnown ? keyFile : await askKeyFile(questions),
  };
}

async function askPlan(questions: Questions | undefined): Promise<Plan | undefined> {
  const choices = Object.fromEntries(PLANS.map((plan) => [plan, plan])) as Record<Plan, string>;
  return await questions?.choose('Which plan?', choices, USUAL.plan);
}

async function askMode(questions: Questions | undefined): Promise<Mode | undefined> {
  const choices = { live: 'live: real searches', test: 'test: a sandbox account without charges' };
  return await questions?.choose('Which key?', choices, USUAL.mode);
}

async function askKeyFile(questions: Questions | undefined): Promise<string | undefined> {
  const choices = {
    file: `into the file ${USUAL.keyFile}, which only you can read`,
    screen: 'on this screen, only once',
  };
  const place = await questions?.choose('Where should the key go?', choices, 'file');
  return place === 'screen' ? undefined : USUAL.keyFile;
}
