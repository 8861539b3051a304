import type { CompanySearchInput } from '../session/client.ts';

/** A search that was pressed in this tab, with what it takes to show it again without a charge. */
export interface Run {
  readonly id: string;
  /** The form, as the query of its address. */
  readonly search: string;
  readonly input: CompanySearchInput;
  readonly background: boolean;
  readonly pages: readonly RunPage[];
}

/** A page that was asked for: an operation with a key of its own. */
export interface RunPage {
  readonly requestKey: string;
  readonly cursor?: string;
  /** When the button was pressed, in milliseconds since 1970. */
  readonly pressedAt: number;
  /** Known from the first answer on, also one that it is pending. */
  readonly usageId?: number;
  /** It was answered before: what comes now is a replay. */
  readonly answered?: true;
  /** The code of the error that ended it; it goes on when the person says so. */
  readonly endedBy?: string;
}
