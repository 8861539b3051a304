/** Why an outside endpoint gave nothing of use; the reason is a sentence of ours, never a word of its answer. */
export class EndpointFailure extends Error {
  override readonly name = 'EndpointFailure';
}
