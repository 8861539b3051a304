import { flag, group, list, oneOf, strings, text, type Value } from './value.ts';

export const GENERAL = {
  global: group(
    'What holds for all charts of a release, set in the parent chart.',
    {
      imageRegistry: text(
        'Registry of all images; takes the place of image.registry, and of the one in postgres.cloudnativepg.image.',
      ),
      imagePullSecrets: list('Secrets of the registry, beside image.pullSecrets: names, or references with a name.', {
        type: ['string', 'object'],
      }),
      compatibility: group(
        'Clusters that differ.',
        {
          openshift: group(
            'OpenShift.',
            {
              adaptSecurityContext: oneOf(
                'Whether ids of users and groups are left to the cluster: auto where it is OpenShift, force, disabled.',
                ['auto', 'force', 'disabled'],
                'auto',
              ),
            },
            { open: true },
          ),
        },
        { open: true },
      ),
    },
    { open: true },
  ),
  nameOverride: text(
    'Name in labels, in place of that of the chart; an installation that exists cannot change it.',
    '',
    {
      maxLength: 63,
    },
  ),
  fullnameOverride: text('Beginning of the names of all objects, in place of <release>-ces.', '', { maxLength: 43 }),
  commonLabels: strings('Labels of all objects and pods.'),
  commonAnnotations: strings('Annotations of all Deployments, Services, Jobs and routes.'),
  extraObjects: list('Further manifests, rendered as templates: objects, or strings of YAML.', {
    type: ['object', 'string'],
  }),
  image: group('The one image of all programs.', {
    registry: text('Its registry, where image.repository does not name it.'),
    repository: text('Where it is.', 'company-evidence-search', { minLength: 1 }),
    tag: text('Its tag; default the appVersion of the chart.'),
    digest: text('Its digest (sha256:…); goes before the tag.', '', { pattern: '^(sha256:[0-9a-f]{64})?$' }),
    pullPolicy: oneOf('When it is pulled.', ['Always', 'IfNotPresent', 'Never'], 'IfNotPresent'),
    pullSecrets: list('Secrets of the registry.', {
      type: 'object',
      description: 'A reference.',
      additionalProperties: false,
      properties: { name: { type: 'string', description: 'Name of the Secret.' } },
    }),
  }),
} satisfies Record<string, Value>;

export const SECRETS = {
  rollOnSecretChange: oneOf(
    'How pods are replaced when their Secret changes, as what is no file needs: reloader annotates Deployments for Stakater Reloader; checksum puts a sum of the Secret on pods, which `helm upgrade` then sees and `helm template` cannot.',
    ['', 'reloader', 'checksum'],
    '',
  ),
  externalSecrets: group('ExternalSecrets that make the Secrets of programs, migrations and operators from a store.', {
    enabled: flag('Whether they are made.', false),
    secretStoreRef: group('The store.', {
      name: text('Its name.'),
      kind: oneOf('Its kind.', ['SecretStore', 'ClusterSecretStore'], 'SecretStore'),
    }),
    remoteKey: text('Key in the store whose properties become keys of the Secret; {secret} is its name.', '{secret}', {
      pattern: '\\{secret\\}',
    }),
    refreshInterval: text('How often the store is asked.', '1h'),
    annotations: strings('Annotations of the ExternalSecrets.'),
  }),
} satisfies Record<string, Value>;
