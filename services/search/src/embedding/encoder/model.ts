import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import type * as Onnx from 'onnxruntime-node';
import { DIMENSIONS, type EncodeFailure, type Purpose } from './messages.ts';

const FILES = path.join(import.meta.dirname, '../../../model');
/** The encoder reads at most this many tokens, including the first and last special tokens. */
const TOKENS = 128;
/** The cross-encoder was trained on this many tokens of a pair, and of its query. */
const PAIR_TOKENS = 80;
const QUERY_TOKENS = 28;
/**
 * Node reports these codes for a missing module and for a native module that it cannot load, for
 * example on musl.
 */
const WITHOUT_BUILD = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

export interface Model {
  encode(text: string, purpose: Purpose): Promise<Float32Array>;
  /** Returns the log odds that the passage answers the query, as the cross-encoder sees it. */
  score(query: string, passage: string): Promise<number>;
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
    const options: Onnx.InferenceSession.SessionOptions = {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      enableCpuMemArena: false,
      logSeverityLevel: 3,
    };
    const encoder = await onnx.InferenceSession.create(path.join(FILES, 'encoder.onnx'), options);
    let crossEncoder: Promise<Onnx.InferenceSession> | undefined;
    return {
      async encode(text, purpose) {
        const ids = tokensOf(tokenizer, `${purpose}: ${text}`, TOKENS);
        const { last_hidden_state: states } = await encoder.run(inputs(onnx, ids));
        if (!(states?.data instanceof Float32Array)) throw new Error('the model has no states');
        return unitMean(states.data);
      },
      async score(query, passage) {
        crossEncoder ??= onnx.InferenceSession.create(path.join(FILES, 'cross-encoder.onnx'), options);
        const first = tokensOf(tokenizer, query, QUERY_TOKENS);
        /* Without the first special token: one stands at the beginning of the pair. */
        const second = shortened(tokensOf(tokenizer, passage, PAIR_TOKENS).slice(1), PAIR_TOKENS - first.length);
        const { logit } = await (await crossEncoder).run(inputs(onnx, first, second));
        const [value] = logit?.data instanceof Float32Array ? logit.data : [];
        if (value === undefined) throw new Error('the model has no score');
        return value;
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

function tokensOf(tokenizer: Tokenizer, text: string, most: number): readonly number[] {
  return shortened(tokenizer.encode(text).ids, most);
}

/** Keeps the last token, which is special. */
function shortened(ids: readonly number[], most: number): readonly number[] {
  return ids.length <= most ? ids : [...ids.slice(0, most - 1), ...ids.slice(-1)];
}

/**
 * Encodes one text, or one pair, whose second part has token type 1. Batching is no faster on one
 * core and changes the vectors: the runtime scales 8-bit activations by the whole tensor.
 */
function inputs(
  { Tensor }: typeof Onnx,
  first: readonly number[],
  second: readonly number[] = [],
): Readonly<Record<string, Onnx.Tensor>> {
  const length = first.length + second.length;
  const tensor = (values: BigInt64Array) => new Tensor('int64', values, [1, length]);
  return {
    input_ids: tensor(BigInt64Array.from([...first, ...second], BigInt)),
    attention_mask: tensor(new BigInt64Array(length).fill(1n)),
    token_type_ids: tensor(new BigInt64Array(length).fill(1n, first.length)),
  };
}

/** Applies mean pooling over all tokens and scales the result to length 1. */
function unitMean(states: Float32Array): Float32Array {
  const sums = new Float64Array(DIMENSIONS);
  for (let at = 0; at < states.length; at += 1) {
    const dimension = at % DIMENSIONS;
    sums[dimension] = (sums[dimension] ?? 0) + (states[at] ?? 0);
  }
  const length = Math.hypot(...sums);
  return Float32Array.from(sums, (sum) => sum / length);
}
