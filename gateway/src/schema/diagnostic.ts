import Type, { type Static } from 'typebox';
import { Allowance, Operation } from './operation.ts';
import { closed, Text } from './primitives.ts';

export const DiagnosticBody = closed('DiagnosticBody', {});

export const DiagnosticResult = closed('DiagnosticResult', {
  status: Type.Literal('ok'),
  subscription: closed('SubscriptionState', { plan: Text, status: Text }),
  usage: Operation,
  request_allowance: Allowance,
});
export type DiagnosticResult = Static<typeof DiagnosticResult>;
