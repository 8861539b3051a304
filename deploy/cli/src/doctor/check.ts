/** What a check found; `mend` says what to do when it is not well. */
export interface Finding {
  readonly state: 'well' | 'watch' | 'broken';
  readonly finding: string;
  readonly mend?: string;
}

export interface Check {
  /** The part it looks at. */
  readonly part: string;
  /** May throw: the error is the finding. */
  readonly look: () => Promise<Finding>;
}

export function well(finding: string): Finding {
  return { state: 'well', finding };
}

export function watch(finding: string, mend: string): Finding {
  return { state: 'watch', finding, mend };
}

export function broken(finding: string, mend: string): Finding {
  return { state: 'broken', finding, mend };
}
