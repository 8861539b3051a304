export interface Tool {
  readonly name: string;
  readonly pattern: RegExp;
}

const TOOLS: readonly Tool[] = [
  ...named('Airtable', 'Asana', 'AutoCAD', 'BigQuery', 'Confluence', 'Databricks', 'Datadog', 'Elasticsearch', 'Figma'),
  ...named('GitHub', 'GitLab', 'HubSpot', 'Jenkins', 'Jira', 'Kubernetes', 'Looker', 'Marketo', 'MATLAB', 'MongoDB'),
  ...named('MySQL', 'NetSuite', 'Okta', 'PostgreSQL', 'QuickBooks', 'Redis', 'Salesforce', 'ServiceNow', 'Shopify'),
  ...named(
    'Slack',
    'Snowflake',
    'SolidWorks',
    'Splunk',
    'Stripe',
    'Tableau',
    'Terraform',
    'Twilio',
    'Workday',
    'Zendesk',
  ),
  { name: 'Amazon Web Services', pattern: /\b(?:AWS|Amazon Web Services)\b/ },
  { name: 'Apache Airflow', pattern: /\bAirflow\b/ },
  { name: 'Apache Kafka', pattern: /\bKafka\b/ },
  { name: 'Apache Spark', pattern: /\b(?:Apache Spark|PySpark)\b/ },
  { name: 'dbt', pattern: /\bdbt\b/ },
  { name: 'Docker', pattern: /\bDocker\b/ },
  { name: 'Google Cloud', pattern: /\b(?:GCP|Google Cloud)\b/ },
  { name: 'Microsoft Azure', pattern: /\bAzure\b/ },
  { name: 'Microsoft Dynamics 365', pattern: /\bDynamics 365\b/ },
  { name: 'Power BI', pattern: /\bPower ?BI\b/ },
  { name: 'SAP', pattern: /\bSAP(?: S\/4HANA| ERP| ECC)?\b/ },
];

export function toolsIn(text: string): Tool[] {
  return TOOLS.filter(({ pattern }) => pattern.test(text));
}

function named(...names: readonly string[]): Tool[] {
  return names.map((name) => ({ name, pattern: new RegExp(`\\b${name}\\b`) }));
}
