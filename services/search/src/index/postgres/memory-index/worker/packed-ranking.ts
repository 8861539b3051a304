import type { RankedHit, Ranking } from '../../../../ranking/ranking.ts';

/** Hits are numbers in one array: copying objects between threads costs more. */
export interface PackedRanking extends Omit<Ranking, 'hits'> {
  readonly numbers: Float64Array<ArrayBuffer>;
}

const PARTS = [
  'ownText',
  'companyContext',
  'place',
  'kind',
  'kindFactor',
  'placeFactor',
  'timeFactor',
  'avoidedFactor',
  'answerFactor',
  'factFactor',
  'highest',
  'score',
] as const satisfies readonly (keyof RankedHit)[];
type Parts = Pick<RankedHit, (typeof PARTS)[number]>;
/** Ids and the features of relevance come before the parts. */
const BEFORE_PARTS = 5;
const WIDTH = BEFORE_PARTS + PARTS.length;

export function packRanking({ hits, ...rest }: Ranking): PackedRanking {
  const numbers = new Float64Array(hits.length * WIDTH);
  for (const [at, hit] of hits.entries()) {
    const { score, highest, similarity = Number.NaN } = hit.relevance;
    const first = [Number(hit.observationId), Number(hit.companyId), score, highest, similarity];
    numbers.set(first, at * WIDTH);
    for (const [part, name] of PARTS.entries()) numbers[at * WIDTH + BEFORE_PARTS + part] = hit[name];
  }
  return { ...rest, numbers };
}

export function unpackRanking({ numbers, ...rest }: PackedRanking): Ranking {
  const hits = Array.from({ length: numbers.length / WIDTH }, (_, at) => {
    const [observationId = 0, companyId = 0, score = 0, highest = 0, similarity = 0] = numbers.subarray(at * WIDTH);
    return {
      observationId: BigInt(observationId),
      companyId: BigInt(companyId),
      relevance: { score, highest, ...(!Number.isNaN(similarity) && { similarity }) },
      ...partsAt(numbers, at * WIDTH + BEFORE_PARTS),
    };
  });
  return { ...rest, hits };
}

function partsAt(numbers: Float64Array, from: number): Parts {
  const part = (name: keyof Parts) => numbers[from + PARTS.indexOf(name)] ?? 0;
  return {
    ownText: part('ownText'),
    companyContext: part('companyContext'),
    place: part('place'),
    kind: part('kind'),
    kindFactor: part('kindFactor'),
    placeFactor: part('placeFactor'),
    timeFactor: part('timeFactor'),
    avoidedFactor: part('avoidedFactor'),
    answerFactor: part('answerFactor'),
    factFactor: part('factFactor'),
    highest: part('highest'),
    score: part('score'),
  };
}
