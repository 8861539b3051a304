import type { MessageInitShape } from '@bufbuild/protobuf';
import {
  ListTakeDownsResponseSchema,
  RecordService,
  type TakeDownScope,
  type TakeDownScopeSchema,
} from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { id } from '../arguments.ts';
import { type Answer, addChange, addVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { plain } from '../output/plain.ts';
import { brief, instant, table } from '../output/table.ts';
import { UsageError } from '../refusal.ts';

interface TakeDownOptions {
  readonly source?: string;
  readonly licence?: string;
  readonly company?: bigint;
  readonly hostname?: string;
  readonly rawRecord?: Uint8Array<ArrayBuffer>;
}

/** One call withdraws or restores about twenty thousand observations or passages. */
const TIMEOUT_MS = 120_000;
const REASON_WIDTH = 50;

export function addTakeDowns(group: Command, run: Runner<Context>): void {
  addChange(
    group,
    'take-down',
    'Withdraw all evidence of a source, licence, company, hostname or raw record, also in future.',
    [
      'evidence take-down --source permits --reason "the publisher asks"',
      'evidence take-down --hostname acme.example --reason "court order 12"',
    ],
  )
    .option('--source <name>', 'withdraw evidence of this source, or of this origin within a data set')
    .option('--licence <name>', 'withdraw evidence of sources with this licence')
    .option('--company <id>', 'withdraw evidence of this company and of all companies merged with it', id)
    .option('--hostname <hostname>', 'withdraw evidence of the companies with this hostname')
    .option('--raw-record <sha256>', 'withdraw evidence from this raw record or imported line', hash)
    .action(run(takeDown));

  addChange(group, 'lift', 'Lift a take-down and restore what no other take-down or withdrawal covers.', [
    'evidence lift 1 --reason "settled"',
  ])
    .argument('<take-down-id>', 'take-down id', id)
    .action(run(lift));

  addVerb(group, 'take-downs', 'List the take-downs in force.', ['evidence take-downs --all'])
    .option('--all', 'include lifted take-downs')
    .action(run(list));
}

async function takeDown({ stack, reason }: Context, options: TakeDownOptions): Promise<Answer> {
  const scope = scopeOf(options);
  const record = stack.client('lookup', RecordService, TIMEOUT_MS);
  let [takeDownId, observations, evidence] = [0n, 0n, 0n];
  for (let more = true; more; ) {
    const answer = await record.takeDown({ scope: { scope }, reason });
    takeDownId = answer.takeDownId;
    observations += answer.observations;
    evidence += answer.evidence;
    more = answer.hasMore;
  }
  return {
    json: { take_down_id: takeDownId, observations, evidence },
    text: `Take-down ${takeDownId} is in force: ${observations} observations and ${evidence} single pieces of evidence were withdrawn.`,
  };
}

async function lift({ stack, reason }: Context, takeDownId: bigint): Promise<Answer> {
  const record = stack.client('lookup', RecordService, TIMEOUT_MS);
  let [observations, evidence, changed] = [0n, 0n, false];
  for (let more = true; more; ) {
    const answer = await record.liftTakeDown({ takeDownId, reason });
    observations += answer.observations;
    evidence += answer.evidence;
    changed ||= answer.changed;
    more = answer.hasMore;
  }
  const restored = `${observations} observations and ${evidence} single pieces of evidence were restored.`;
  return {
    json: { take_down_id: takeDownId, observations, evidence, changed },
    text: `Take-down ${takeDownId} ${changed ? 'is' : 'was already'} lifted: ${restored}`,
  };
}

async function list({ stack }: Context, { all }: { all?: true }): Promise<Answer> {
  const answer = await stack.client('lookup', RecordService).listTakeDowns({ liftedToo: all ?? false });
  const rows = answer.takeDowns.map((one) => [
    one.id,
    words(one.scope),
    one.observations,
    one.caller,
    brief(one.reason, REASON_WIDTH),
    one.liftedAt ? brief(one.liftedReason, REASON_WIDTH) : '',
  ]);
  const json = plain(ListTakeDownsResponseSchema, answer);
  const entries = (json.take_downs ?? []) as { at?: string }[];
  return {
    json,
    text: table(
      ['take-down', 'since', 'covers', 'observations', 'by', 'reason', 'lifted'],
      rows.map(([first = '', ...others], index) => [first, instant(entries[index]?.at), ...others]),
    ),
  };
}

type ScopeShape = MessageInitShape<typeof TakeDownScopeSchema>['scope'];

function scopeOf({ source, licence, company, hostname, rawRecord }: TakeDownOptions): NonNullable<ScopeShape> {
  const given = [
    source !== undefined && ({ case: 'source', value: source } as const),
    licence !== undefined && ({ case: 'licence', value: licence } as const),
    company !== undefined && ({ case: 'companyId', value: company } as const),
    hostname !== undefined && ({ case: 'hostname', value: hostname } as const),
    rawRecord !== undefined && ({ case: 'rawRecordHash', value: rawRecord } as const),
  ].filter((one) => one !== false);
  const [scope] = given;
  if (!scope || given.length > 1)
    throw new UsageError('Use exactly one of --source, --licence, --company, --hostname and --raw-record.');
  return scope;
}

function words(scope: TakeDownScope | undefined): string {
  const { case: name, value } = scope?.scope ?? {};
  if (value === undefined) return '';
  return `${name === 'companyId' ? 'company' : name === 'rawRecordHash' ? 'raw record' : name} ${
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
  }`;
}

function hash(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[0-9a-f]{64}$/i.test(text)) throw new InvalidArgumentError('It must be 64 hexadecimal digits.');
  return new Uint8Array(Buffer.from(text, 'hex'));
}
