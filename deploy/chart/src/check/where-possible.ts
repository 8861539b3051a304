import { hasGo } from './programs.ts';

// For a run that must not fail where the tools of the check cannot be had.
if (await hasGo()) await import('./main.ts');
else process.stdout.write('SKIPPED: the chart is not checked against Kubernetes: there is no Go here to build helm.\n');
