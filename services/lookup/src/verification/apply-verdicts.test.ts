import { untilWaiting } from '@ces/test/support/until-waiting.ts';
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
  await recordCompanies(service, [aCompany('a')]);
});
afterAll(() => service[Symbol.asyncDispose]());

test('storing verdicts waits for a recording of the company, and holds no lock that it needs', async () => {
  const raw = { rawRecordHash: hashOf('raw'), textHash: hashOf('text'), extractorVersion: 'html/1' };
  const [observationId = 0n] = await recordObservations(service, [
    anObservation('held', 'a', { evidence: [aPassage('Good.', raw)] }),
  ]);
  const { evidence } = await service.record.getEvidence({ observationId });
  const results = [{ evidenceId: evidence[0]?.id ?? 0n, problem: 'not found again' }];
  const recording = await service.owner.connect();
  try {
    await recording.query('begin');
    await recording.query(
      'select from company where id = (select company_id from observation where id = $1) for no key update',
      [observationId],
    );
    const told = service.record.recordVerification({ results });
    told.catch(() => undefined);
    await untilWaiting(service.pool);
    await recording.query('select from evidence where observation_id = $1 for no key update nowait', [observationId]);
    await recording.query('commit');
    expect(await told).toMatchObject({ unverifiedIds: [observationId] });
  } finally {
    recording.release(true);
  }
  const mended = await service.record.recordVerification({ results: [{ ...results[0], problem: '' }] });
  expect(mended).toMatchObject({ verifiedIds: [observationId] });
});
