import { Kind } from '@ces/proto/ces/catalog/v1/catalog_pb.ts';

/** What the features of a query weigh for each kind; unspecified stands for none. */
export interface KindWeights {
  readonly kinds: readonly Kind[];
  /** By kind, in the order of `kinds`. */
  readonly constants: readonly number[];
  readonly features: ReadonlyMap<string, readonly number[]>;
}

const CONSTANT = 'constant';

/** Reads `kind-weights.txt`: "feature = kind weight, kind weight", the constants first; throws with the line that cannot be read. */
export function parseKindWeights(lines: readonly string[]): KindWeights {
  const [first = '', ...others] = lines;
  const [name, constants] = partsOf(first);
  if (name !== CONSTANT) throw new Error(`kind-weights.txt: "${first}" is not the constants`);
  const kinds = constants.map(([kind]) => kind);
  return {
    kinds,
    constants: constants.map(([, weight]) => weight),
    features: new Map(
      others.map((line) => {
        const [feature, said] = partsOf(line);
        const weights = new Map(said);
        return [feature, kinds.map((kind) => weights.get(kind) ?? 0)];
      }),
    ),
  };
}

function partsOf(line: string): [string, [Kind, number][]] {
  const at = line.lastIndexOf(' = ');
  const said = line.slice(at + 3).split(', ');
  return [
    line.slice(0, at),
    said.map((part) => {
      const [name = '', figure = ''] = part.split(' ');
      const kind = name === 'none' ? Kind.UNSPECIFIED : Kind[name.toUpperCase() as keyof typeof Kind];
      const weight = Number(figure);
      if (at < 0 || kind === undefined || figure === '' || !Number.isFinite(weight))
        throw new Error(`kind-weights.txt: cannot read "${line}"`);
      return [kind, weight];
    }),
  ];
}
