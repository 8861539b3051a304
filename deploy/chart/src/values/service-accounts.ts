import { cidrs } from './kinds.ts';
import { flag, group, integer, text } from './value.ts';

export const SERVICE_ACCOUNT_TOKENS = group(
  'Tokens of ServiceAccounts by which programs prove themselves to each other.',
  {
    enabled: flag(
      'Whether each program has such a token for each program that it calls, and takes those of its callers.',
      false,
    ),
    issuer: text(
      'Issuer of the cluster, as `kubectl get --raw /.well-known/openid-configuration` names it.',
      'https://kubernetes.default.svc.cluster.local',
      { minLength: 1 },
    ),
    expirationSeconds: integer(
      'Life of a token in seconds; Kubernetes gives none for less than ten minutes. The kubelet renews it after four fifths of it.',
      600,
      600,
      86_400,
    ),
    sharedTokens: flag(
      'Whether programs may prove themselves by the tokens of CES_RPC_TOKENS too; false once all show the others.',
      true,
    ),
    keysConfigMap: text(
      'ConfigMap with the public keys of the issuer as jwks.json; default <release>-issuer-keys.',
      '',
      {
        pattern: '^[a-z0-9.-]*$',
      },
    ),
    apiServer: group('The API server as the place of these keys, instead of the ConfigMap.', {
      enabled: flag('Whether every program but the gateway asks the API server, and has a token to show there.', false),
      cidrs: cidrs('Networks of its endpoints, for the network policies.'),
      port: integer('Port of its endpoints.', 6443, 1, 65_535),
    }),
  },
);
