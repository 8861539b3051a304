export interface Example {
  readonly features: readonly number[];
  readonly label: number;
}

/**
 * A multinomial logistic regression: a constant for each class, and weights for each feature and
 * class.
 */
export interface SoftmaxWeights {
  readonly constants: Float64Array;
  readonly weights: readonly Float64Array[];
}

export interface Learning {
  readonly rounds: number;
  /** Dropout: the share of features to ignore each time, so that no weight relies on another. */
  readonly unseen: number;
  /** Strengths of the L1 and L2 penalties, applied each time a feature occurs. */
  readonly absolute: number;
  readonly square: number;
}

const RATE = 0.3;

/** Fits by AdaGrad in an order drawn from `random`. The same seed gives the same weights. */
export function fitSoftmax(
  examples: readonly Example[],
  features: number,
  classes: number,
  { rounds, unseen, absolute, square }: Learning,
  random: () => number,
): SoftmaxWeights {
  const weights = Array.from({ length: features + 1 }, () => new Float64Array(classes));
  const squares = Array.from({ length: features + 1 }, () => new Float64Array(classes).fill(1));
  for (let round = 0; round < rounds; round += 1)
    for (const { features: all, label } of shuffled(examples, random)) {
      const own = all.filter(() => random() >= unseen);
      const wrong = softmax(scoresOf([...own, features], weights, classes));
      wrong[label] = (wrong[label] ?? 0) - 1;
      for (const feature of [...own, features])
        step(weights[feature], squares[feature], wrong, feature === features ? 0 : absolute, square);
    }
  return {
    constants: weights[features] ?? new Float64Array(classes),
    weights: weights.slice(0, features).map((own) => own.map((weight) => weight * (1 - unseen))),
  };
}

export function softmax(scores: Float64Array): Float64Array {
  const highest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - highest));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

function scoresOf(features: readonly number[], weights: readonly Float64Array[], classes: number): Float64Array {
  const scores = new Float64Array(classes);
  for (const feature of features)
    for (let at = 0; at < classes; at += 1) scores[at] = (scores[at] ?? 0) + (weights[feature]?.[at] ?? 0);
  return scores;
}

function step(
  own: Float64Array | undefined,
  squares: Float64Array | undefined,
  wrong: Float64Array,
  absolute: number,
  square: number,
): void {
  if (!own || !squares) return;
  for (let at = 0; at < own.length; at += 1) {
    const before = own[at] ?? 0;
    const gradient = (wrong[at] ?? 0) + square * before;
    squares[at] = (squares[at] ?? 0) + gradient * gradient;
    const rate = RATE / Math.sqrt(squares[at] ?? 1);
    const moved = before - rate * gradient;
    own[at] = Math.sign(moved) * Math.max(0, Math.abs(moved) - rate * absolute);
  }
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const order = [...list];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] as T, order[at] as T];
  }
  return order;
}
