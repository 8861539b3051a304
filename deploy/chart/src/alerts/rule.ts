export type Exporter = 'kubeStateMetrics' | 'kubelet' | 'cloudnativepg';

export interface Recording {
  readonly record: string;
  readonly expr: string;
}

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  /** page: users suffer now or an objective is at risk. ticket: it can wait until the morning. */
  readonly severity: 'page' | 'ticket';
  /** One sentence; it may use labels of the expression as `{{ $labels.x }}`. */
  readonly summary: string;
  /** The name of a page in deploy/runbooks, without `.md`. */
  readonly runbook: string;
}

export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  /** Absent: the group needs only the product's own metrics. */
  readonly needs?: Exporter;
  readonly rules: readonly (Recording | AlertRule)[];
}
