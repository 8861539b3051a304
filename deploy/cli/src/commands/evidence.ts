import { AcquisitionAdminService } from '@ces/proto/ces/acquisition/v1/acquisition_admin_service_pb.ts';
import { GetEvidenceResponseSchema, RecordService } from '@ces/proto/ces/lookup/v1/record_service_pb.ts';
import type { Command } from 'commander';
import { id } from '../arguments.ts';
import { type Answer, addChange, addVerb, type Runner } from '../command.ts';
import type { Context } from '../operator/context.ts';
import { type Plain, plain } from '../output/plain.ts';
import { startProgress } from '../output/progress.ts';
import { brief, count, instant, list, table } from '../output/table.ts';
import { verifyEvidence } from '../verify/verify-evidence.ts';
import { addTakeDowns } from './evidence-take-down.ts';

const EXCERPT_WIDTH = 60;
const VERIFY_TIMEOUT_MS = 120_000;

export function define(group: Command, run: Runner<Context>): void {
  addVerb(group, 'show', 'Show an observation with its evidence, also if withdrawn.', ['evidence show 1'])
    .argument('<observation-id>', 'observation id', id)
    .action(
      run(async ({ stack }, observationId: bigint) => {
        const answer = await stack.client('lookup', RecordService).getEvidence({ observationId });
        const json = plain(GetEvidenceResponseSchema, answer);
        return { json, text: describe(json) };
      }),
    );

  addChange(group, 'withdraw', 'Withdraw an observation or one piece of its evidence from all further answers.', [
    'evidence withdraw 1 --reason "source retracted it"',
    'evidence withdraw 1 --evidence 1 --reason "wrong page"',
  ])
    .argument('<observation-id>', 'observation id', id)
    .option('--evidence <id>', 'withdraw only this piece of evidence', id)
    .action(
      run(async ({ stack, reason }, observationId: bigint, { evidence: evidenceId = 0n }: { evidence?: bigint }) => {
        const lookup = stack.client('lookup', RecordService);
        const { changed } = await lookup.withdrawEvidence({ observationId, evidenceId, reason });
        const what = named(observationId, evidenceId);
        return {
          json: { observation_id: observationId, evidence_id: evidenceId || undefined, changed },
          text: changed ? `${what} is withdrawn.` : `${what} was already withdrawn. Nothing changed.`,
        };
      }),
    );

  addChange(group, 'restore', 'Restore a withdrawn observation or piece of evidence.', ['evidence restore 1'])
    .argument('<observation-id>', 'observation id', id)
    .option('--evidence <id>', 'restore only this piece of evidence', id)
    .action(
      run(async ({ stack }, observationId: bigint, { evidence: evidenceId = 0n }: { evidence?: bigint }) => {
        const { changed } = await stack.client('lookup', RecordService).restoreEvidence({ observationId, evidenceId });
        const what = named(observationId, evidenceId);
        return {
          json: { observation_id: observationId, evidence_id: evidenceId || undefined, changed },
          text: changed ? `${what} is restored.` : `${what} was not withdrawn. Nothing changed.`,
        };
      }),
    );

  addChange(
    group,
    'verify',
    'Compare all evidence with its raw records. Evidence that differs is no longer delivered. Exit code 1: there are differences.',
    ['evidence verify', 'evidence verify --json'],
  ).action(run(verify));

  addTakeDowns(group, run);
}

async function verify({ stack, stderr, signal }: Context): Promise<Answer> {
  using progress = startProgress(stderr, 'verify');
  const found = await verifyEvidence(
    stack.client('lookup', RecordService, VERIFY_TIMEOUT_MS),
    stack.client('acquisition', AcquisitionAdminService, VERIFY_TIMEOUT_MS),
    ({ observations, excerpts }) => progress.at(`${count(observations)} observations, ${count(excerpts)} excerpts`),
    signal,
  );
  const summary = list([
    ['observations', count(found.observations)],
    ['excerpts from raw records', count(found.excerpts)],
    ['broken', count(found.broken.length)],
  ]);
  const rows = found.broken.map((one) => [one.observation_id, one.evidence_id, one.source, one.problem]);
  const details = table(['observation', 'evidence', 'source', 'problem'], rows, 'All evidence is unchanged.');
  return { json: found, text: `${summary}\n\n${details}`, failed: found.broken.length > 0 };
}

function named(observationId: bigint, evidenceId: bigint): string {
  return evidenceId === 0n ? `Observation ${observationId}` : `Evidence ${evidenceId} of observation ${observationId}`;
}

function describe(answer: Plain): string {
  const record = (answer.record ?? {}) as Plain;
  const rows = (answer.evidence ?? []) as { id: number; withdrawn_at?: string; evidence?: Plain }[];
  const facts = list([
    ['observation', Number(answer.observation_id)],
    ['company', `${answer.company_id} ${answer.company_name}`],
    ['part of', answer.survivor_id === answer.company_id ? '' : `company ${answer.survivor_id}`],
    ['kind', String(record.kind)],
    ['fact', String(record.observed_fact)],
    ['source', `${answer.source} / ${record.origin || answer.source}, record ${record.key}`],
    ['occurred', instant(record.occurred_at)],
    ['expires', instant(record.expires_at) || 'never'],
    ['recorded', instant(answer.recorded_at)],
    ['withdrawn', answer.withdrawn_at ? `${instant(answer.withdrawn_at)}: ${answer.withdrawn_reason}` : 'no'],
    ['verification', answer.unverified_at ? `${instant(answer.unverified_at)}: ${answer.unverified_reason}` : 'holds'],
    ['deliverable', answer.deliverable === true],
  ]);
  const evidence = table(
    ['evidence', 'observed', 'last seen', 'withdrawn', 'excerpt', 'source'],
    rows.map(({ id: evidenceId, withdrawn_at: withdrawnAt, evidence: passage }) => [
      evidenceId,
      instant(passage?.observed_at),
      instant(passage?.last_seen_at),
      instant(withdrawnAt),
      brief(String(passage?.excerpt ?? ''), EXCERPT_WIDTH),
      String(passage?.source_uri ?? ''),
    ]),
  );
  return `${facts}\n\n${evidence}`;
}
