import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import type * as Onnx from 'onnxruntime-node';
import { DIMENSIONS, type EncodeFailure, type Purpose } from './messages.ts';

const FILES = path.join(import.meta.dirname, '../../../model');
/** Includes the first and last special tokens. */
const TOKENS = 128;
/** Node's codes for a missing module and for a native module that it cannot load (musl). */
const WITHOUT_BUILD = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

export interface Model {
  encode(text: string, purpose: Purpose): Promise<Float32Array>;
}

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
    /* Without the arena, encoding is as fast, and the memory of a long text is freed. */
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

/** A dynamic import turns a missing build into a failure instead of a crash. */
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

/** One text: 8-bit activations are scaled by the whole tensor, so a batch changes vectors. */
function inputs({ Tensor }: typeof Onnx, ids: readonly number[]): Readonly<Record<string, Onnx.Tensor>> {
  const shape = [1, ids.length];
  const filled = (value: bigint) => new Tensor('int64', new BigInt64Array(ids.length).fill(value), shape);
  return {
    input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), shape),
    attention_mask: filled(1n),
    token_type_ids: filled(0n),
  };
}

function unitMean(states: Float32Array): Float32Array {
  const sums = new Float64Array(DIMENSIONS);
  for (let at = 0; at < states.length; at += 1) {
    const dimension = at % DIMENSIONS;
    sums[dimension] = (sums[dimension] ?? 0) + (states[at] ?? 0);
  }
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (sum) => sum / length);
}
