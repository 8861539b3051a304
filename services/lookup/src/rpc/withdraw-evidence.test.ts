import { FailureCode, failureOf } from '@ces/chassis/rpc/failure';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  aCompany,
  anObservation,
  aPassage,
  hashOf,
  recordCompanies,
  recordObservations,
} from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
  await recordCompanies(service, [aCompany('a', { hostnames: ['a.example'] })]);
});

afterAll(() => service[Symbol.asyncDispose]());

async function recordTwoPassages(key: string) {
  const evidence = [aPassage(`First of ${key}.`), aPassage(`Second of ${key}.`)];
  const [observationId = 0n] = await recordObservations(service, [anObservation(key, 'a', { evidence })]);
  const report = await service.record.getEvidence({ observationId });
  const ids = new Map(report.evidence.map((row) => [row.evidence?.excerpt, row.id]));
  return {
    observationId,
    first: ids.get(`First of ${key}.`) ?? 0n,
    second: ids.get(`Second of ${key}.`) ?? 0n,
  };
}

async function shownExcerpts(observationId: bigint): Promise<string[] | undefined> {
  const answer = await service.lookup.getObservation({ observationId }).catch(() => undefined);
  return answer?.observation?.evidence.map((evidence) => evidence.excerpt).sort();
}

test('a withdrawn observation is not shown, with its reason kept, until it is restored', async () => {
  const { observationId } = await recordTwoPassages('whole');
  const withdrawn = await service.record.withdrawEvidence({ observationId, reason: 'the source took it back' });
  expect(withdrawn).toMatchObject({ changed: true });
  expect(withdrawn.tx).toBeGreaterThan(0n);
  expect(await shownExcerpts(observationId)).toBeUndefined();
  const report = await service.record.getEvidence({ observationId });
  expect(report).toMatchObject({ deliverable: false, withdrawnReason: 'the source took it back' });
  expect(report.withdrawnAt).toBeDefined();
  expect(await service.record.restoreEvidence({ observationId })).toMatchObject({ changed: true });
  expect(await shownExcerpts(observationId)).toHaveLength(2);
});

test('one withdrawn row leaves the others; without an active row the observation is not deliverable', async () => {
  const { observationId, first, second } = await recordTwoPassages('rows');
  await service.record.withdrawEvidence({ observationId, evidenceId: first, reason: 'wrong' });
  expect(await shownExcerpts(observationId)).toEqual(['Second of rows.']);
  await service.record.withdrawEvidence({ observationId, evidenceId: second, reason: 'wrong' });
  expect(await shownExcerpts(observationId)).toBeUndefined();
  await service.record.restoreEvidence({ observationId, evidenceId: first });
  expect(await shownExcerpts(observationId)).toEqual(['First of rows.']);
});

test('withdrawing or restoring twice changes nothing the second time, and the first reason stays', async () => {
  const { observationId, first } = await recordTwoPassages('twice');
  for (const evidenceId of [0n, first]) {
    const target = { observationId, evidenceId };
    expect(await service.record.restoreEvidence(target)).toMatchObject({ changed: false, tx: 0n });
    expect(await service.record.withdrawEvidence({ ...target, reason: 'one' })).toMatchObject({ changed: true });
    expect(await service.record.withdrawEvidence({ ...target, reason: 'two' })).toMatchObject({
      changed: false,
      tx: 0n,
    });
  }
  const report = await service.record.getEvidence({ observationId });
  expect(report.withdrawnReason).toBe('one');
  expect(report.evidence.find((row) => row.id === first)?.withdrawnReason).toBe('one');
});

test('withdrawn records stay withdrawn when the source reports them again', async () => {
  const { observationId, first } = await recordTwoPassages('again');
  await service.record.withdrawEvidence({ observationId, evidenceId: first, reason: 'wrong' });
  const evidence = [aPassage('First of again.'), aPassage('Third of again.')];
  await recordObservations(service, [anObservation('again', 'a', { evidence, contentHash: hashOf('again two') })]);
  expect(await shownExcerpts(observationId)).toEqual(['Second of again.', 'Third of again.']);
});

test('the audit names who withdrew and restored which rows', async () => {
  const { observationId, first } = await recordTwoPassages('audit');
  await service.record.withdrawEvidence({ observationId, evidenceId: first, reason: 'wrong' });
  await service.as('acquisition').record.restoreEvidence({ observationId, evidenceId: first });
  const { rows } = await service.owner.query(
    'select caller, action, evidence_id, reason from audit where observation_id = $1 order by id',
    [observationId],
  );
  expect(rows).toEqual([
    { caller: 'admin', action: 'withdraw', evidence_id: first, reason: 'a test' },
    { caller: 'acquisition', action: 'restore', evidence_id: first, reason: null },
  ]);
});

test('an unknown observation, a row of another one and a missing reason are refused', async () => {
  const { observationId } = await recordTwoPassages('known');
  const { first: foreign } = await recordTwoPassages('foreign');
  const code = (target: { observationId: bigint; evidenceId?: bigint; reason?: string }) =>
    service.record.withdrawEvidence({ reason: 'wrong', ...target }).then(
      () => undefined,
      (error: unknown) => failureOf(error)?.code,
    );
  expect(await code({ observationId: 9_000_000n })).toBe(FailureCode.NOT_FOUND);
  expect(await code({ observationId, evidenceId: foreign })).toBe(FailureCode.NOT_FOUND);
  expect(await code({ observationId, reason: ' ' })).toBe(FailureCode.INVALID_REQUEST);
  expect(await shownExcerpts(observationId)).toHaveLength(2);
});

test('the status counts the record', async () => {
  const before = await service.record.getRecordStatus({});
  const { tx } = await service.record.recordEvidence({
    source: 'test-set',
    observations: [anObservation('counted', 'a')],
  });
  const after = await service.record.getRecordStatus({});
  expect(after.companies).toBe(before.companies);
  expect(after.observations).toBe(before.observations + 1n);
  expect(after.evidence).toBe(before.evidence + 1n);
  expect(after.newest?.tx).toBe(tx);
});
