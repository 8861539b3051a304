import { FailureCode } from '@ces/chassis/rpc/failure';
import { LookupStatus, type ReadAnswer } from '@ces/proto/ces/lookup/v1/lookup_service_pb.ts';
import { Code } from '@connectrpc/connect';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCompany, anObservation, aPassage, recordCompanies, recordObservations } from '../../test-support/records.ts';
import { type StartedLookup, startLookup } from '../../test-support/started-lookup.ts';

let service: StartedLookup;

beforeAll(async () => {
  service = await startLookup();
});
afterAll(() => service[Symbol.asyncDispose]());

async function recordOne(key: string) {
  const [companyId = 0n] = await recordCompanies(service, [aCompany(key, { hostnames: [`${key}.example`] })]);
  const [observationId = 0n] = await recordObservations(service, [anObservation(key, key)]);
  return { companyId, observationIds: [observationId] };
}

async function read(reads: NonNullable<Parameters<typeof service.lookup.read>[0]['reads']>) {
  const answers = new Map<number, unknown>();
  for await (const response of service.lookup.read({ reads }))
    for (const { index, answer } of response.answers) answers.set(index, answer);
  return answers;
}

test('each read is answered as its own call would be: look-ups by id keep their inputs apart', async () => {
  const [a, b] = [await recordOne('a'), await recordOne('b')];
  const found = (...ids: bigint[]) => ({
    outcomes: ids.map((companyId) => ({ status: companyId ? LookupStatus.FOUND : expect.any(Number), companyId })),
    companies: [...new Set(ids.filter(Boolean))].map((id) => ({ id })),
  });
  const answers = await read([
    { read: { case: 'lookUpCompanies', value: { ids: [b.companyId, 999n, a.companyId] } } },
    { read: { case: 'hydrate', value: { companies: [a] } } },
    { read: { case: 'lookUpCompanies', value: { ids: [] } } },
    { read: { case: 'lookUpCompanies', value: { ids: [a.companyId, a.companyId] } } },
    { read: { case: 'lookUpCompanies', value: { domains: ['b.example'] } } },
    { read: { case: undefined } },
  ]);
  expect(answers.size).toBe(6);
  expect(answers.get(0)).toMatchObject({ case: 'lookUpCompanies', value: found(b.companyId, 0n, a.companyId) });
  expect(answers.get(1)).toMatchObject({ case: 'hydrate', value: { companies: [{ survivorId: a.companyId }] } });
  const invalid = { code: Code.InvalidArgument, failure: { code: FailureCode.INVALID_REQUEST } };
  expect(answers.get(2)).toMatchObject({ case: 'refusal', value: invalid });
  expect(answers.get(3)).toMatchObject({ case: 'lookUpCompanies', value: found(a.companyId, a.companyId) });
  expect(answers.get(4)).toMatchObject({ case: 'lookUpCompanies', value: found(b.companyId) });
  expect(answers.get(5)).toMatchObject({ case: 'refusal', value: invalid });
});

test('no read, and more than 50, are refused', async () => {
  await expect(read([])).rejects.toMatchObject({ code: Code.InvalidArgument });
  const many = Array.from({ length: 51 }, () => ({ read: { case: undefined } as const }));
  await expect(read(many)).rejects.toMatchObject({ code: Code.InvalidArgument });
});

async function recordLong(key: string) {
  const evidence = Array.from({ length: 10 }, (_, index) => aPassage(`${index}${'\u{20000}'.repeat(599)}`));
  const [companyId = 0n] = await recordCompanies(service, [aCompany(key)]);
  const [observationId = 0n] = await recordObservations(service, [anObservation(key, key, { evidence })]);
  return { companyId, observationIds: [observationId, observationId] };
}

test('answers too large for one message are all given, and one that no message can hold is refused by itself', async () => {
  const long = await recordLong('long');
  const counts = [800, 300, 1, 300, 300];
  const answers = await read(
    counts.map((length) => ({ read: { case: 'hydrate', value: { companies: Array.from({ length }, () => long) } } })),
  );
  const outcomes = counts.map((_, index) => {
    const { case: kind, value } = answers.get(index) as ReadAnswer['answer'];
    if (kind === 'refusal') return value.code;
    return kind === 'hydrate' && value.companies.flatMap(({ company }) => company?.observations ?? []).length;
  });
  expect(outcomes).toEqual([Code.ResourceExhausted, 600, 2, 600, 600]);
});
