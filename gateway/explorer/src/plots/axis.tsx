import { AxisBottom } from '@visx/axis';
import type { ComponentProps } from 'react';
import styles from './plot.module.css';

type AxisProps = ComponentProps<typeof AxisBottom>;

export function BottomAxis({
  scale,
  top,
  numTicks = 5,
  tickValues,
  tickFormat,
}: Pick<AxisProps, 'scale' | 'top' | 'numTicks' | 'tickValues' | 'tickFormat'>) {
  return (
    <AxisBottom
      scale={scale}
      {...(top !== undefined && { top })}
      numTicks={numTicks}
      {...(tickValues && { tickValues })}
      {...(tickFormat && { tickFormat })}
      tickLength={4}
      axisLineClassName={styles.line ?? ''}
      tickLineProps={{ className: styles.line ?? '' }}
      tickLabelProps={{ className: styles.label ?? '', textAnchor: 'middle', dy: '0.1em' }}
    />
  );
}
