/** A document or record goes over its bound; the run ends there and says so. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
}
