import type { CompanySearchInput } from '../session/client.ts';

/** A search of this tab, with the data to show it again free of charge. */
export interface Run {
  readonly id: string;
  /** The form as a URL query. */
  readonly search: string;
  readonly input: CompanySearchInput;
  readonly background: boolean;
  readonly pages: readonly RunPage[];
}

/** A requested page: an operation with its own key. */
export interface RunPage {
  readonly requestKey: string;
  readonly cursor?: string;
  /** When the button was pressed, in milliseconds since 1970. */
  readonly pressedAt: number;
  /** Known from the first answer, even if that is pending. */
  readonly usageId?: number;
  /** Set when the page was answered before, so that the next answer is a replay. */
  readonly answered?: true;
  /** The code of the error that ended it; the user can resume it. */
  readonly endedBy?: string;
}
