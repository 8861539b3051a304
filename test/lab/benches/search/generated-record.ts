import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import {
  type CompanyDocument,
  CompanyDocumentSchema,
  type ObservationDocument,
  ObservationDocumentSchema,
} from '@ces/proto/ces/lookup/v1/record_pb.ts';
import { mulberry32 } from '../../../support/random.ts';

/** A synthetic record, determined by its size and `now`. */
export interface GeneratedRecord {
  readonly observations: number;
  readonly companies: number;
  observation(index: number): ObservationDocument;
  company(index: number): CompanyDocument;
  /** Queries from words of one observation without the most frequent ones, determined by a seed. */
  queries(count: number): string[][];
}

export const EVENT_KINDS = [1, 2, 3, 4, 5, 6, 7, 8] as const satisfies readonly Kind[];
const SEED = 20_261_121;
const VOCABULARY = 50_000;
const FACT_WORDS = 95;
const PROFILE_WORDS = 40;
const OBSERVATIONS_PER_COMPANY = 20;
const DAYS = 3 * 365;
const DAY_MS = 86_400_000;
const MOST_FREQUENT = 30;
const LONGEST_QUERY = 8;
const SYLLABLES = 'ka lo mi re to sa ve do an pi ga ti be so fe ma qui zo ha ne'.split(' ');

export function generateRecord(observations: number, now: Date): GeneratedRecord {
  const words = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));
  const shares = zipf(VOCABULARY);
  const draw = (random: () => number) => words[firstAtLeast(shares, random())] ?? '';
  const text = (random: () => number, length: number) => Array.from({ length }, () => draw(random)).join(' ');
  const companies = Math.ceil(observations / OBSERVATIONS_PER_COMPANY);
  const observation = (index: number) => {
    const random = mulberry32(SEED + index);
    const happened = timestampFromDate(new Date(now.getTime() - random() * DAYS * DAY_MS));
    return create(ObservationDocumentSchema, {
      id: BigInt(index + 1),
      version: 1n,
      companyId: BigInt(1 + Math.floor(random() * companies)),
      kind: EVENT_KINDS[index % EVENT_KINDS.length] ?? Kind.PARTNERSHIP,
      country: index % 5 === 0 ? Country.CA : Country.US,
      occurredAt: happened,
      observedAt: happened,
      recordedAt: happened,
      observedFact: text(random, FACT_WORDS),
    });
  };
  return {
    observations,
    companies,
    observation,
    company(index) {
      const random = mulberry32(SEED - 1 - index);
      return create(CompanyDocumentSchema, {
        id: BigInt(index + 1),
        version: 1n,
        name: `${text(random, 2)} ${index + 1}`,
        country: index % 5 === 0 ? Country.CA : Country.US,
        survivorId: BigInt(index + 1),
        profile: text(random, PROFILE_WORDS),
      });
    },
    queries(count) {
      const random = mulberry32(SEED);
      const frequent = new Set(words.slice(0, MOST_FREQUENT));
      return Array.from({ length: count }, () => {
        const from = observation(Math.floor(random() * observations)).observedFact.split(' ');
        const discriminating = [...new Set(from)].filter((word) => !frequent.has(word));
        return discriminating.slice(0, 2 + Math.floor(random() * (LONGEST_QUERY - 1)));
      });
    },
  };
}

/** Ends in letters that no stemmer removes. */
function wordOf(rank: number): string {
  let rest = rank;
  let word = '';
  do {
    word += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  } while (rest > 0);
  return `${word}xk`;
}

/** Cumulative shares of words by Zipf's law. */
function zipf(count: number): Float64Array {
  const shares = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank += 1) {
    sum += 1 / (rank + 1);
    shares[rank] = sum;
  }
  return shares.map((share) => share / sum);
}

function firstAtLeast(shares: Float64Array, wanted: number): number {
  let low = 0;
  let high = shares.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shares[middle] ?? 1) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
