import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Embedder } from '../../src/embedding/embedder.ts';
import type { Corpus } from '../corpus.ts';
import { seeded } from '../resampling.ts';
import { countTerms, matrixOf, rowOf, type TermWeights } from './term-matrix.ts';
import { rightSingularVectors } from './truncated-svd.ts';

/** How a model was trained; with the corpus it says all of it. */
export interface Training {
  readonly dimensions: number;
  readonly seed: number;
}

/** Latent-semantic vectors of the words of a record. */
export interface LatentModel {
  readonly version: 1;
  readonly training: Training;
  /** SHA-256 of the texts it was trained on. */
  readonly corpusHash: string;
  readonly weights: TermWeights;
  /** Row by row, one a term. */
  readonly vectors: Float32Array;
}

function textsOf({ observations, companies }: Corpus): string[] {
  const facts = observations.map(({ observedFact, excerpts }) => [observedFact, ...excerpts].join('\n'));
  return [...facts, ...companies.map(({ profile }) => profile)].filter((text) => text !== '');
}

export function trainModel(corpus: Corpus, training: Training): LatentModel {
  const texts = textsOf(corpus);
  const weights = countTerms(texts);
  const { values } = rightSingularVectors(matrixOf(texts, weights), training.dimensions, seeded(training.seed));
  const corpusHash = createHash('sha256').update(texts.join('\0')).digest('hex');
  return { version: 1, training, corpusHash, weights, vectors: Float32Array.from(values) };
}

/** Writes a model with a hash over all of it; what a record says goes with it, so that it stays where the record is. */
export function writeModel(file: string, model: LatentModel): string {
  const body = JSON.stringify({
    version: model.version,
    training: model.training,
    corpusHash: model.corpusHash,
    terms: [...model.weights.columnOf.keys()],
    idf: [...model.weights.idf],
    vectors: Buffer.from(model.vectors.buffer).toString('base64'),
  });
  const hash = createHash('sha256').update(body).digest('hex');
  writeFileSync(file, `${hash}\n${body}`);
  return hash;
}

export function readModel(file: string): LatentModel {
  const [hash = '', body = ''] = readFileSync(file, 'utf8').split('\n');
  if (createHash('sha256').update(body).digest('hex') !== hash) throw new Error(`${file} is not what its hash says`);
  const { version, training, corpusHash, terms, idf, vectors } = JSON.parse(body);
  if (version !== 1) throw new Error(`${file} is of version ${version}`);
  const columnOf = new Map((terms as string[]).map((term, column) => [term, column]));
  const bytes = Buffer.from(vectors, 'base64');
  const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  return { version, training, corpusHash, weights: { columnOf, idf: Float64Array.from(idf) }, vectors: values };
}

/** The model behind the port that the service has for embeddings. */
export function latentEmbedder({ weights, vectors, training: { dimensions } }: LatentModel): Embedder {
  const embedOne = (text: string) => {
    const vector = new Float32Array(dimensions);
    for (const [column, weight] of rowOf(text, weights))
      for (let at = 0; at < dimensions; at += 1)
        vector[at] = (vector[at] ?? 0) + weight * (vectors[column * dimensions + at] ?? 0);
    return vector;
  };
  return { embed: async (texts) => texts.map(embedOne) };
}
