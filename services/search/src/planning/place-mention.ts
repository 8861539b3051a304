import type { PlaceName } from '../vocabulary/place-names.ts';

export interface PlaceMention extends Pick<PlaceName, 'names' | 'near' | 'except' | 'country' | 'kept'> {
  readonly start: number;
  readonly length: number;
  readonly isCity: boolean;
}
