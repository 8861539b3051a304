export interface Example {
  readonly features: readonly number[];
  readonly outcome: boolean;
  readonly weight: number;
}

const STEPS = 30;
/** Ridge penalty, which keeps weights of few examples small. The constant has none. */
const RIDGE = 0.01;
const TINY = 1e-9;

/** Fits by Newton's method. The first feature is the constant. */
export function fitLogistic(examples: readonly Example[]): number[] {
  const count = examples[0]?.features.length ?? 0;
  let weights = Array.from({ length: count }, () => 0);
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = weights.map((weight, at) => (at === 0 ? 0 : -RIDGE * weight));
    const hessian: number[][] = weights.map((_, row) =>
      weights.map((_, column) => (row === column ? Math.max(row === 0 ? 0 : RIDGE, TINY) : 0)),
    );
    for (const { features, outcome, weight } of examples) {
      const probability = logistic(features, weights);
      for (const [row, value] of features.entries()) {
        gradient[row] = (gradient[row] ?? 0) + weight * (Number(outcome) - probability) * value;
        const line = hessian[row] ?? [];
        for (const [column, other] of features.entries())
          line[column] = (line[column] ?? 0) + weight * probability * (1 - probability) * value * other;
      }
    }
    const change = solve(hessian, gradient);
    weights = weights.map((weight, at) => weight + (change[at] ?? 0));
  }
  return weights;
}

export function logistic(features: readonly number[], weights: readonly number[]): number {
  const sum = features.reduce((total, value, at) => total + value * (weights[at] ?? 0), 0);
  return 1 / (1 + Math.exp(-Math.max(-30, Math.min(30, sum))));
}

function solve(matrix: readonly (readonly number[])[], values: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, values[at] ?? 0]);
  for (let at = 0; at < rows.length; at += 1) {
    const below = rows.slice(at).map((row) => Math.abs(row[at] ?? 0));
    const pivot = at + below.indexOf(Math.max(...below));
    [rows[at], rows[pivot]] = [rows[pivot] ?? [], rows[at] ?? []];
    const own = rows[at] ?? [];
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = (row[at] ?? 0) / (own[at] ?? 1);
      for (const [column, value] of own.entries()) row[column] = (row[column] ?? 0) - factor * value;
    }
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1));
}
