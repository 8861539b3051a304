import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import type * as Onnx from 'onnxruntime-node';
import { DIMENSIONS, type EncodeFailure, type Purpose } from './messages.ts';

const FILES = path.join(import.meta.dirname, '../../../model');
/** Tokens of a text that are read, with the two that begin and end it. */
const TOKENS = 128;
/** Codes of Node for a module that is not there, and for one that the system cannot load, as where libc is musl. */
const WITHOUT_BUILD = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

/** A sentence encoder in this process; its calls block the event loop. */
export interface Model {
  /** A vector of length one. */
  encode(text: string, purpose: Purpose): Promise<Float32Array>;
}

/** Why the model cannot be used here. */
export class ModelFailure extends Error {
  readonly reason: EncodeFailure;
  constructor(reason: EncodeFailure, cause: unknown) {
    super(`the model cannot be loaded: ${reason}`, { cause });
    this.reason = reason;
  }
}

export async function loadModel(threads: number): Promise<Model> {
  const onnx = await loadRuntime();
  try {
    const tokenizer = new Tokenizer(JSON.parse(await readFile(path.join(FILES, 'tokenizer.json'), 'utf8')), {});
    /* Without the arena the process is as fast and frees the memory of a long text. */
    const session = await onnx.InferenceSession.create(path.join(FILES, 'encoder.onnx'), {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      enableCpuMemArena: false,
      logSeverityLevel: 3,
    });
    return {
      async encode(text, purpose) {
        const ids = tokensOf(tokenizer, `${purpose}: ${text}`);
        const { last_hidden_state: states } = await session.run(inputs(onnx, ids));
        if (!(states?.data instanceof Float32Array)) throw new Error('the model has no states');
        return unitMean(states.data);
      },
    };
  } catch (error) {
    throw new ModelFailure('model', error);
  }
}

/** Imported here, so that a platform without a build of it gives a failure and does not end the process. */
async function loadRuntime(): Promise<typeof Onnx> {
  try {
    return await import('onnxruntime-node');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new ModelFailure(WITHOUT_BUILD.has(code) ? 'platform' : 'model', error);
  }
}

function tokensOf(tokenizer: Tokenizer, text: string): readonly number[] {
  const { ids } = tokenizer.encode(text);
  return ids.length <= TOKENS ? ids : [...ids.slice(0, TOKENS - 1), ...ids.slice(-1)];
}

/**
 * The inputs for one text. A tensor of several texts is no faster on one core, and would change each vector: the runtime scales
 * 8-bit activations by the whole tensor.
 */
function inputs({ Tensor }: typeof Onnx, ids: readonly number[]): Readonly<Record<string, Onnx.Tensor>> {
  const shape = [1, ids.length];
  const filled = (value: bigint) => new Tensor('int64', new BigInt64Array(ids.length).fill(value), shape);
  return {
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: filled(1n),
    token_type_ids: filled(0n),
  };
}

/** The mean of the states of all tokens, scaled to length one. */
function unitMean(states: Float32Array): Float32Array {
  const sums = new Float64Array(DIMENSIONS);
  for (let at = 0; at < states.length; at += 1) {
    const dimension = at % DIMENSIONS;
    sums[dimension] = (sums[dimension] ?? 0) + (states[at] ?? 0);
  }
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (sum) => sum / length);
}
