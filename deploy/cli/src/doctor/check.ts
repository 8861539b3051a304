export interface Finding {
  readonly state: 'well' | 'watch' | 'broken';
  readonly finding: string;
  readonly mend?: string;
}

export interface Check {
  readonly part: string;
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
