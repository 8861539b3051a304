import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { expect, test } from 'vitest';
import { generateSample, SAMPLE_COMPANIES, startOfDay } from './sample.ts';

const TODAY = startOfDay(new Date('2026-11-20T15:00:00Z'));
const LATER = startOfDay(new Date('2027-02-03T01:00:00Z'));
const DAY_MS = 86_400_000;
const sample = generateSample(TODAY);

test('the same day gives the same sample', () => {
  expect(generateSample(TODAY)).toEqual(sample);
});

test('another day moves dates by whole days and changes nothing else', () => {
  const later = generateSample(LATER);
  expect(later.companies).toEqual(sample.companies);
  expect(later.observations.map(withoutDates)).toEqual(sample.observations.map(withoutDates));
  const moved = later.observations.map((one, index) => ms(one.observedAt) - ms(sample.observations[index]?.observedAt));
  expect(new Set(moved)).toEqual(new Set([LATER.getTime() - TODAY.getTime()]));
});

test('more companies change nothing about the first ones', () => {
  expect(generateSample(TODAY, 20).observations).toEqual(
    sample.observations.filter((one) => Number(one.companyKey?.slice(-5)) <= 20),
  );
});

test('it has a few thousand companies of both countries and every kind in the last 30 days', () => {
  expect(sample.companies).toHaveLength(SAMPLE_COMPANIES);
  expect(new Set(sample.companies.map((one) => one.country)).size).toBe(2);
  const recent = sample.observations.filter(
    (one) => ms(one.occurredAt ?? one.observedAt) > TODAY.getTime() - 30 * DAY_MS,
  );
  expect(new Set(recent.map((one) => one.kind))).toEqual(
    new Set(Object.values(Kind).filter((kind) => kind !== Kind.UNSPECIFIED)),
  );
});

test('every observation is marked as a sample and links only to addresses below .example', () => {
  for (const { whyItMayMatter, evidence } of sample.observations) {
    expect(whyItMayMatter).toContain('generated sample data about a fictional company');
    for (const { sourceUri } of evidence ?? [])
      expect(new URL(sourceUri ?? '').hostname).toMatch(/^[a-z0-9-]+\.example$/);
  }
});

test('names and websites are distinct but for the few that are shared on purpose', () => {
  expect(new Set(sample.companies.map((one) => one.name)).size).toBe(SAMPLE_COMPANIES);
  expect(new Set(sample.companies.map((one) => one.hostnames?.[0])).size).toBe(SAMPLE_COMPANIES);
  expect(sample.companies.filter((one) => one.hostnames?.length === 2).length).toBeGreaterThan(5);
});

test('nothing lies in the future but expiry, and only profiles are undated', () => {
  for (const one of sample.observations) {
    expect(ms(one.observedAt)).toBeLessThanOrEqual(TODAY.getTime());
    if (one.occurredAt) expect(ms(one.occurredAt)).toBeLessThan(ms(one.observedAt));
    expect(one.occurredAt === undefined).toBe(one.kind === Kind.COMPANY_PROFILE);
  }
});

test('no text holds an e-mail address or a telephone number', () => {
  for (const { observedFact, evidence } of sample.observations)
    for (const text of [observedFact, ...(evidence ?? []).map((one) => one.excerpt)])
      expect(text).not.toMatch(/@|\d{3}[ .-]\d{3,4}[ .-]?\d{2,}/);
});

function ms(timestamp: unknown): number {
  return timestampDate(timestamp as Timestamp).getTime();
}

function withoutDates(observation: (typeof sample.observations)[number]) {
  const { occurredAt, observedAt, expiresAt, contentHash, evidence, ...rest } = observation;
  return { ...rest, evidence: evidence?.map(({ sourceUri, excerpt }) => ({ sourceUri, excerpt })) };
}
