import os from 'node:os';
import { type Answer, type Batch, DIMENSIONS } from './messages.ts';
import { loadModel, type Model, ModelFailure } from './model.ts';

/* Runs as the encoder's process. Ignores SIGINT and SIGTERM, because the parent handles those. */
const [niceness = 0, threads = 1] = process.argv.slice(2).map(Number);

process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
/* Must precede the runtime's threads: on Linux each thread has its own niceness. */
if (niceness > os.getPriority()) os.setPriority(niceness);

const model = loadModel(threads);
/* The answer to the first batch reports a load failure. */
model.catch(() => undefined);

process.on('message', (batch: Batch) => void answer(batch).then((message) => process.send?.(message)));

async function answer(batch: Batch): Promise<Answer> {
  try {
    return { vectors: await encodeAll(await model, batch) };
  } catch (error) {
    return { failure: error instanceof ModelFailure ? error.reason : 'texts' };
  }
}

async function encodeAll(loaded: Model, { texts, purpose }: Batch): Promise<Float32Array> {
  const vectors = new Float32Array(texts.length * DIMENSIONS);
  for (const [at, text] of texts.entries()) vectors.set(await loaded.encode(text, purpose), at * DIMENSIONS);
  return vectors;
}
