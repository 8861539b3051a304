import { randomBytes } from 'node:crypto';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Country, Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';
import { type ObservationInput, type Recorded, recordEvidence } from '../../support/record.ts';
import type { TestStack } from '../../support/stack.ts';

/** Companies unique to this run, so that the number of results is known. */
export interface Fixture {
  /**
   * Finds exactly these companies. It is a phrase, because single words only affect the ranking.
   */
  readonly query: string;
  /** Finds the plants. They are equal, so the first result is a plant under any ranking. */
  readonly plantQuery: string;
  readonly words: readonly string[];
  readonly plantHostname: (number: number) => string;
  readonly companies: number;
  /** The only procurement request, in the United States. All others are expansions in Canada. */
  readonly tender: { readonly name: string; readonly hostname: string };
  readonly plant: { readonly name: string; readonly hostname: string; readonly observationId: number };
  /** A name that a spreadsheet would evaluate as a formula. */
  readonly formula: { readonly name: string };
  /** Found until `withdraw` removes its evidence. Works once. */
  readonly fading: { readonly hostname: string; withdraw(): Promise<void> };
  /** Two companies now; `collect` adds a third, whose evidence is collected then. Works once. */
  readonly news: { readonly query: string; readonly name: string; collect(): Promise<void> };
  readonly hostnames: Readonly<Record<'found' | 'notFound' | 'ambiguous' | 'unavailable', string>>;
}

const PLANTS = 24;

export async function recordFixture(stack: Pick<TestStack, 'record' | 'untilIndexed'>): Promise<Fixture> {
  const word = `quartz${randomBytes(4).toString('hex')}`;
  const host = (name: string) => `${name}-${word}.example`;
  const company = (key: string, name: string, hostnames: readonly string[]) => ({
    key: `${word}-${key}`,
    name,
    hostnames: [...hostnames],
  });
  const observe = (
    key: string,
    more: Pick<ObservationInput, 'observedFact' | 'evidence'> & { kind?: Kind; country?: Country } = {},
  ): ObservationInput => ({
    key: `${word}-${key}`,
    companyKey: `${word}-${key}`,
    observedFact: `The ${word} smelter opens line ${key}`,
    ...more,
  });
  const plants = Array.from({ length: PLANTS }, (_, at) => `plant${at + 1}`);
  const tender = {
    kind: Kind.PROCUREMENT_REQUEST,
    country: Country.US,
    observedFact: `Bids are asked for a ${word} smelter`,
  };
  const recorded = await recordEvidence(
    stack,
    [
      ...plants.map((key) => company(key, `Works ${key}`, [host(key)])),
      company('tender', 'Tender County', [host('tender')]),
      company('formula', '=1+1 Smelting', [host('formula')]),
      ...['one', 'other'].map((key) => company(key, `Shared ${key}`, [host('shared')])),
      company('gone', 'Gone Works', [host('gone')]),
      company('fading', 'Fading Works', [host('fading')]),
      ...['first', 'second'].map((key) => company(key, `Kiln ${key}`, [host(key)])),
    ],
    [
      ...plants.map((key) => observe(key)),
      observe('tender', tender),
      observe('formula'),
      // Without the word "smelter", so that only look-ups find them.
      ...['one', 'other', 'gone', 'fading'].map((key) => observe(key, { observedFact: `A yard of ${key} opens` })),
      ...['first', 'second'].map((key) => observe(key, { observedFact: `The ${word} kiln opens in Reno, Nevada` })),
    ],
  );
  const withdraw = async (key: string) => {
    await stack.record.withdrawEvidence({ observationId: idOf(recorded, `${word}-${key}`), reason: 'a test' });
  };
  await withdraw('gone');
  const collect = async () => {
    const now = timestampFromDate(new Date());
    const evidence = { sourceUri: 'https://source.example/third', excerpt: `A ${word} kiln opens.`, observedAt: now };
    await recordEvidence(
      stack,
      [company('third', 'Third Kiln', [host('third')])],
      [{ ...observe('third', { observedFact: `The ${word} kiln opens`, evidence: [evidence] }), observedAt: now }],
    );
  };
  return {
    query: `"${word} smelter"`,
    plantQuery: `"${word} smelter opens line"`,
    words: [word, 'smelter'],
    plantHostname: (number) => host(`plant${number}`),
    companies: PLANTS + 2,
    tender: { name: 'Tender County', hostname: host('tender') },
    plant: { name: 'Works plant1', hostname: host('plant1'), observationId: Number(idOf(recorded, `${word}-plant1`)) },
    formula: { name: '=1+1 Smelting' },
    fading: { hostname: host('fading'), withdraw: () => withdraw('fading') },
    news: { query: `"${word} kiln"`, name: 'Third Kiln', collect },
    hostnames: {
      found: host('plant1'),
      notFound: host('nobody'),
      ambiguous: host('shared'),
      unavailable: host('gone'),
    },
  };
}

function idOf({ observations }: Recorded, key: string): bigint {
  const id = observations[key];
  if (id === undefined) throw new Error(`${key} was not recorded`);
  return BigInt(id);
}
