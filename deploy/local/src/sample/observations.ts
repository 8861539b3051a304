import { createHash } from 'node:crypto';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import type { ObservationRecordSchema } from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { type SampleCompany, slug } from './companies.ts';
import { type SampleKind, sampleText } from './texts.ts';

export type SampleObservation = MessageInitShape<typeof ObservationRecordSchema>;

interface Habit {
  readonly kind: SampleKind;
  readonly weight: number;
  readonly oldestDays: number;
  /** Days from the event to its expiry; absent: it never expires. */
  readonly livesDays?: readonly [number, number];
  readonly confidence: number;
  readonly page: string;
}

const HABITS: readonly Habit[] = [
  { kind: Kind.PROCUREMENT_REQUEST, weight: 20, oldestDays: 60, livesDays: [20, 75], confidence: 0.9, page: 'tenders' },
  { kind: Kind.FACILITY_EXPANSION, weight: 17, oldestDays: 400, confidence: 0.7, page: 'news' },
  { kind: Kind.JOB_POSTING, weight: 16, oldestDays: 13, livesDays: [14, 14], confidence: 0.8, page: 'careers' },
  { kind: Kind.TECHNOLOGY_USE, weight: 11, oldestDays: 85, livesDays: [90, 90], confidence: 0.5, page: 'blog' },
  { kind: Kind.FUNDING_ROUND, weight: 10, oldestDays: 400, confidence: 0.8, page: 'news' },
  { kind: Kind.LEADERSHIP_CHANGE, weight: 9, oldestDays: 300, confidence: 0.8, page: 'news' },
  { kind: Kind.PRODUCT_LAUNCH, weight: 9, oldestDays: 300, confidence: 0.7, page: 'news' },
  { kind: Kind.PARTNERSHIP, weight: 8, oldestDays: 300, confidence: 0.7, page: 'news' },
];
const PROFILE: Habit = {
  kind: Kind.COMPANY_PROFILE,
  weight: 0,
  oldestDays: 90,
  livesDays: [365, 365],
  confidence: 0.8,
  page: 'about',
};

const MOST_EVENTS = 4;
const PROFILE_SHARE = 0.92;
/** Share of events in the window of a search that names none. */
const RECENT_SHARE = 0.65;
const RECENT_DAYS = 27;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Keys and texts do not depend on the date. */
export function sampleObservations(company: SampleCompany, today: Date): SampleObservation[] {
  const { random } = company;
  const events = Array.from({ length: random.whole(0, MOST_EVENTS) }, () => drawHabit(company));
  const hasProfile = random.chance(PROFILE_SHARE) || events.length === 0;
  return [...(hasProfile ? [PROFILE] : []), ...events].map((habit, index) => observation(company, habit, index, today));
}

function drawHabit({ random }: SampleCompany): Habit {
  let left = random.whole(
    1,
    HABITS.reduce((sum, habit) => sum + habit.weight, 0),
  );
  const drawn = HABITS.find((habit) => {
    left -= habit.weight;
    return left <= 0;
  });
  return drawn ?? random.pick(HABITS);
}

function observation(company: SampleCompany, habit: Habit, index: number, today: Date): SampleObservation {
  const { random, industry, place } = company;
  const { fact, why, excerpt } = sampleText(habit.kind, company);
  const dates = drawDates(company, habit, today);
  const undated = habit.kind === Kind.COMPANY_PROFILE;
  const occurredAt = undated ? {} : { occurredAt: timestampFromDate(dates.occurredAt) };
  const observedAt = timestampFromDate(dates.observedAt);
  const sourceUri = `https://${company.hostnames[0]}/${habit.page}${undated ? '' : `/${slug(fact).slice(0, 60)}-${index}`}`;
  return {
    key: `${company.recordKey}/${index}`,
    companyKey: company.recordKey,
    kind: habit.kind,
    observedFact: fact,
    whyItMayMatter: why,
    country: Country[place.country],
    confidence: habit.confidence,
    ...occurredAt,
    observedAt,
    ...(dates.expiresAt && { expiresAt: timestampFromDate(dates.expiresAt) }),
    evidence: [{ sourceUri, excerpt, ...occurredAt, observedAt }],
    categories: random.chance(0.7) ? [industry.sector] : [],
    contentHash: createHash('sha256')
      .update(JSON.stringify([fact, why, excerpt, dates]))
      .digest(),
  };
}

function drawDates({ random }: SampleCompany, habit: Habit, today: Date) {
  const recent = random.chance(RECENT_SHARE);
  const oldest = recent ? Math.min(RECENT_DAYS, habit.oldestDays) : habit.oldestDays;
  const ageMs = random.whole(0, oldest - 1) * DAY_MS + random.whole(1, 24 * 60) * MINUTE_MS;
  const occurredAt = new Date(today.getTime() - ageMs);
  const observedAt = new Date(Math.min(occurredAt.getTime() + random.whole(30, 900) * MINUTE_MS, today.getTime()));
  const lifeDays = habit.livesDays && random.whole(...habit.livesDays);
  return { occurredAt, observedAt, expiresAt: lifeDays && new Date(occurredAt.getTime() + lifeDays * DAY_MS) };
}
