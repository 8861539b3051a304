/** Why an outside planner gave no plan; the reason is a sentence of ours, never a word of its answer. */
export class PlannerFailure extends Error {
  override readonly name = 'PlannerFailure';
}
