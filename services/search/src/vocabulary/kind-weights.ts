import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';

/** Kind.UNSPECIFIED means no kind. */
export interface KindWeights {
  readonly kinds: readonly Kind[];
  readonly constants: readonly number[];
  readonly features: ReadonlyMap<string, readonly number[]>;
}

const HUNDREDTHS = 100;

/**
 * A line of kind names, a line of constants, then a line per feature, in hundredths; an empty value
 * is zero. Throws an error that names the faulty line.
 */
export function parseKindWeights([names = '', constants = '', ...features]: readonly string[]): KindWeights {
  const kinds = names.split(',').map((name) => {
    const kind = name === 'none' ? Kind.UNSPECIFIED : Kind[name.toUpperCase() as keyof typeof Kind];
    if (kind === undefined) throw new Error(`kind-weights.txt: "${name}" is no kind`);
    return kind;
  });
  const weightsOf = (line: string): [string, readonly number[]] => {
    const at = line.lastIndexOf('=');
    const weights = line
      .slice(at + 1)
      .split(',')
      .map((hundredths) => Number(hundredths) / HUNDREDTHS);
    if (at < 0 || weights.length !== kinds.length || !weights.every(Number.isFinite))
      throw new Error(`kind-weights.txt: cannot read "${line}"`);
    return [line.slice(0, at), weights];
  };
  return { kinds, constants: weightsOf(constants)[1], features: new Map(features.map(weightsOf)) };
}
