import { ALL, always, type Case, inside, onlyToA, pod, toA } from '../case.ts';

/** Policies and labels that change while they are in force. */
export const CHANGING: readonly Case[] = [
  {
    name: 'enforce updated policy',
    steps: [
      { policies: () => toA({}), open: always },
      { policies: () => toA(), open: onlyToA(() => false) },
    ],
  },
  {
    name: 'allow ingress access from updated namespace',
    steps: [
      {
        policies: () => toA({ from: [{ namespaceSelector: { matchLabels: { late: 'yes' } } }] }),
        open: onlyToA(() => false),
      },
      { labels: { y: { late: 'yes' } }, open: onlyToA(({ from }) => inside(from, 'y')) },
    ],
  },
  {
    name: 'allow ingress access from updated pod',
    steps: [
      {
        policies: () => toA({ from: [{ podSelector: { matchLabels: { late: 'yes' } } }] }),
        open: onlyToA(() => false),
      },
      { labels: { 'x/b': { late: 'yes' } }, open: onlyToA(({ from }) => from === 'x/b') },
    ],
  },
  {
    name: 'deny ingress access to updated pod',
    steps: [
      {
        policies: () => ({
          'x/late': { podSelector: { matchLabels: { target: 'isolated' } }, policyTypes: ['Ingress'] },
        }),
        open: always,
      },
      { labels: { 'x/a': { target: 'isolated' } }, open: onlyToA(() => false) },
    ],
  },
  {
    name: 'stop enforcing policies after they are deleted',
    steps: [
      {
        policies: () => ({ 'x/deny': { podSelector: ALL, policyTypes: ['Ingress', 'Egress'] } }),
        open: ({ from, to }) => !inside(from, 'x') && !inside(to, 'x'),
      },
      { policies: () => ({}), open: always },
    ],
  },
  {
    name: 'ingress and egress policies can be controlled independently based on PodSelector',
    steps: [
      {
        policies: () => ({
          ...toA({ from: [{ podSelector: pod('b') }] }),
          'x/out': { podSelector: pod('b'), policyTypes: ['Egress'], egress: [{ to: [{ podSelector: pod('a') }] }] },
        }),
        open: ({ from, to }) => (to !== 'x/a' || from === 'x/b') && (from !== 'x/b' || to === 'x/a'),
      },
      {
        policies: () => ({
          ...toA({ from: [{ podSelector: pod('b') }] }),
          'x/out': { podSelector: pod('b'), policyTypes: ['Egress'] },
        }),
        open: ({ from, to }) => to !== 'x/a' && from !== 'x/b',
      },
    ],
  },
];
