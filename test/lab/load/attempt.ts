/** One call as its client saw it. Instants are ms since 1970 of the client's clock. */
export interface Attempt {
  readonly sentAt: number;
  readonly receivedAt: number;
  readonly surface: 'rest' | 'mcp';
  readonly accountId: bigint;
  readonly action: Action;
  /** Absent if a poll names the operation by id. */
  readonly key?: string;
  /** The input in canonical form. Equal inputs give equal strings. */
  readonly input?: string;
  readonly outcome: Outcome;
}

export type Action = 'company_search' | 'company_lookup' | 'poll' | 'report';

export type Outcome =
  | { readonly kind: 'answer'; readonly status: number; readonly body: Body; readonly retryAfter: boolean }
  /** No answer arrived, so the outcome is unknown. */
  | { readonly kind: 'lost'; readonly reason: string };

/** The members that checks read. Checks compare the rest as a whole. */
export interface Body {
  readonly [member: string]: unknown;
  readonly usage?: {
    readonly id: number;
    readonly status: 'pending' | 'processing' | 'delivered' | 'failed';
    readonly request_key: string;
    readonly request_units: number;
    readonly delivered_units: number;
    readonly fresh_evidence_units: number;
  };
  readonly error?: { readonly code: string; readonly message: string };
  readonly companies?: readonly { readonly id: number }[];
}

export type Answered = Attempt & { readonly outcome: { readonly kind: 'answer' } };

export function isAnswered(attempt: Attempt): attempt is Answered {
  return attempt.outcome.kind === 'answer';
}
