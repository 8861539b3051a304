import type { CompanySearchInput } from '../session/client.ts';

export interface Run {
  readonly id: string;
  readonly search: string;
  readonly input: CompanySearchInput;
  readonly background: boolean;
  readonly pages: readonly RunPage[];
}

export interface RunPage {
  readonly requestKey: string;
  readonly cursor?: string;
  /** When the button was pressed, in milliseconds since 1970. */
  readonly pressedAt: number;
  readonly usageId?: number;
  readonly answered?: true;
  readonly endedBy?: string;
}
