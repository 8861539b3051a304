import { readdirSync, readFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '@ces/test/support/database.ts';
import { type Random, seeded } from '@ces/test/support/random.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { lexemeOf, lexemesOfText } from './stem.ts';
import { wordsOf } from './words.ts';

const VOCABULARY = new URL('../../vocabulary/', import.meta.url);
const SEED = process.env.CES_TEST_SEED ?? String(Date.now());
const SOME = 20_000;

let database: TestDatabase;
let server: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase('search');
  server = new pg.Client({ connectionString: database.url });
  await server.connect();
});
afterAll(async () => {
  await server.end();
  await database[Symbol.asyncDispose]();
});

const vocabulary = readdirSync(VOCABULARY).map((file) => wordsOf(readFileSync(new URL(file, VOCABULARY), 'utf8')));

test('every word of the vocabulary has the lexeme that the server gives it', async () => {
  await expectAgreement(vocabulary.flat());
});

test('words of any stem and ending have the lexemes that the server gives them', async () => {
  const random = seeded(SEED);
  await expectAgreement(Array.from({ length: SOME }, () => someWord(random)));
});

test('doubled letters, other scripts and words without end are as the server has them', async () => {
  const words = [
    'adding',
    'eggs',
    'offedlys',
    'erreds',
    'москва',
    '北京',
    'straße',
    '𐐨𐐩𐐨',
    '𐐨y',
    '𐐨ies',
    'a𐐨ies',
    '𐐨𐐨edly',
    'a',
    'y',
    'yy',
    'ß',
    'éed',
    'ée',
  ];
  await expectAgreement([...words, `${'a'.repeat(994)}ation`, `${'b'.repeat(996)}aed`, `${'é'.repeat(499)}ing`]);
});

test('the words of the vocabulary have the positions that the server gives them', async () => {
  for (const words of vocabulary) await expectSamePositions(words);
});

test('words with digits, of any script and of any length have the lexemes and positions that the server gives them', async () => {
  const random = seeded(SEED);
  for (let text = 0; text < 400; text += 1)
    await expectSamePositions(Array.from({ length: 60 }, () => someTokenOf(random)));
  const long = [
    'a'.repeat(2046),
    'a'.repeat(2047),
    '1'.repeat(2047),
    `2e5${'a'.repeat(2046)}`,
    `2e5${'a'.repeat(2047)}`,
  ];
  await expectSamePositions(['plants', ...long, `${'1'.repeat(2046)}e5the`, `${'1'.repeat(2040)}e5the`, 'mills']);
});

async function expectAgreement(words: readonly string[]): Promise<void> {
  const { rows } = await server.query<{ word: string; lexemes: string[] }>(
    `select word, ts_lexize('english_stem', word) as lexemes from unnest($1::text[]) as given (word)`,
    [words],
  );
  const other = rows.filter(({ word, lexemes }) => lexemeOf(word) !== lexemes[0]);
  expect(
    other.map(({ word, lexemes }) => ({ word, server: lexemes[0], process: lexemeOf(word) })),
    `seed ${SEED}`,
  ).toEqual([]);
}

/** Compares in chunks, because Postgres keeps at most 255 positions of a lexeme. */
async function expectSamePositions(words: readonly string[]): Promise<void> {
  for (let at = 0; at < words.length; at += 200) {
    const piece = words.slice(at, at + 200);
    const { rows } = await server.query<{ lexeme: string; position: number }>(
      `select lexeme, unnest(positions)::integer as position from unnest(to_tsvector('english', $1)) order by 2`,
      [piece.join(' ')],
    );
    const here = lexemesOfText(piece).flatMap((lexeme, index) =>
      lexeme === undefined ? [] : [{ lexeme, position: index + 1 }],
    );
    expect(here, `seed ${SEED}: ${piece.join(' ')}`).toEqual(rows);
  }
}

const STEMS =
  `gener commun arsen past univers later emerg organ inter under succ proc exc inn can herr earr out sk d l t idl gentl ugl
  earl onl singl sky news how atlas cosmos bias andes plan hop hopp control bas batt relat ration optim oper consign conform sensit
  form good need consist y s cry enjoy boy play yellow syzyg add egg err ebb odd off ann app ell box fix bow snow tax beau fl eu
  pre re over evil pasta arriv believ hazard analog geolog feud agre fre see`.split(/\s+/);
const ENDINGS =
  `s es ed ing ingly edly eed eedly ly y ies ied us ss sses e l ll ational tional enci anci abli entli izer ization
  ation ator alism aliti alli fulness ousli ousness iveness iviti biliti bli ogi ogist fulli lessli li icate iciti ical ful ness
  ative alize al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize ion sion tion`.split(/\s+/);
const LETTERS = 'aeiouyaeiouybcdfghjklmnpqrstvwxzlsst';

function someWord(random: Random): string {
  const letters = Array.from({ length: 1 + random.below(8) }, () => LETTERS.charAt(random.below(LETTERS.length)));
  const endings = Array.from({ length: random.below(4) }, () => random.pick(ENDINGS));
  return [random.below(2) === 0 ? letters.join('') : random.pick(STEMS), ...endings].join('');
}

const PARTS = ['e', 'e5', '5', '12', '1e5', 'the', 'ed', 'plants', 'é', 'ł', 'москва', '北', '𐐨', '२', 'm', 's'];

function someTokenOf(random: Random): string {
  if (random.below(3) === 0) return someWord(random);
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(PARTS)).join('');
}
