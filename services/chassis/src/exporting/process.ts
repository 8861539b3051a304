import { readdir } from 'node:fs/promises';
import { metrics } from '@opentelemetry/api';

/** Exists only on Linux; elsewhere the metric is absent. */
const OPEN_FILES = '/proc/self/fd';

/** Names follow OpenTelemetry's semantic conventions for process metrics. */
export function observeProcess(): void {
  const meter = metrics.getMeter('ces');
  meter
    .createObservableCounter('process.cpu.time', { unit: 's', description: 'Processor time, by mode.' })
    .addCallback((result) => {
      const { user, system } = process.cpuUsage();
      result.observe(user / 1e6, { 'cpu.mode': 'user' });
      result.observe(system / 1e6, { 'cpu.mode': 'system' });
    });
  meter
    .createObservableUpDownCounter('process.memory.usage', {
      unit: 'By',
      description: 'Memory that is in main memory.',
    })
    .addCallback((result) => result.observe(process.memoryUsage.rss()));
  meter
    .createObservableGauge('process.uptime', { unit: 's', description: 'Time since the process began.' })
    .addCallback((result) => result.observe(process.uptime()));
  meter
    .createObservableUpDownCounter('process.open_file_descriptor.count', {
      unit: '{file_descriptor}',
      description: 'Files and connections that are open.',
    })
    .addCallback(async (result) => {
      const open = await readdir(OPEN_FILES).catch(() => undefined);
      if (open) result.observe(open.length);
    });
}
