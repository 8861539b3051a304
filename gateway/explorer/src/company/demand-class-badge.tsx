import { Badge, type Tone } from '../ui/badge.tsx';
import { Explanation } from '../ui/explanation.tsx';
import { DEMAND_CLASSES, type DemandClass } from '../words/demand-classes.ts';
import styles from './demand-class-badge.module.css';

const TONES: Readonly<Record<DemandClass, Tone>> = {
  explicit_request: 'explicit',
  proxy: 'proxy',
  structural: 'structural',
};

export function DemandClassBadge({
  demandClass,
  explained = false,
}: {
  demandClass: DemandClass;
  explained?: boolean;
}) {
  const { name, meaning } = DEMAND_CLASSES[demandClass];
  return (
    <span className={styles.badge}>
      <Badge tone={TONES[demandClass]}>{name}</Badge>
      {explained && (
        <Explanation of={name}>
          <p>{meaning}</p>
        </Explanation>
      )}
    </span>
  );
}
