/** What an alert rests on beside the metrics of the product's own processes. */
export type Exporter = 'kubeStateMetrics' | 'kubelet' | 'cloudnativepg';

/** A series that is computed. */
export interface Recording {
  readonly record: string;
  readonly expr: string;
}

/** Something that somebody must look at. */
export interface AlertRule {
  readonly alert: string;
  /** PromQL without the labels of the release, which are put into every selector of it. */
  readonly expr: string;
  /** How long it must hold. */
  readonly for: string;
  /** page: users are hurt now or a promise is at risk; ticket: it can wait for the morning. */
  readonly severity: 'page' | 'ticket';
  /** One sentence, with labels of the expression in `{{ $labels.x }}`. */
  readonly summary: string;
  /** Its page in deploy/runbooks, without `.md`. */
  readonly runbook: string;
}

export interface RuleGroup {
  readonly name: string;
  readonly interval?: string;
  /** Absent: the product's own metrics are enough. */
  readonly needs?: Exporter;
  readonly rules: readonly (Recording | AlertRule)[];
}
