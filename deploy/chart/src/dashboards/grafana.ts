import { CHOSEN_SCOPE, withScope } from '../series/scope.ts';
import type { Dashboard, Panel } from './panel.ts';

const COLUMNS = 24;
const WIDTH = 8;
const HEIGHT = 8;
const DATA_SOURCE = { type: 'prometheus', uid: '$datasource' };
/** A series that every process of the product exports, and no other software. */
const OURS = 'target_info{service_namespace="ces"}';

export function toGrafana({ uid, title, rows }: Dashboard): unknown {
  let y = 0;
  const panels = rows.flatMap(({ title: rowTitle, panels: inRow }, row) => {
    const head = { id: (row + 1) * 100, type: 'row', title: rowTitle, gridPos: { x: 0, y, w: COLUMNS, h: 1 } };
    y += 1;
    const graphs = inRow.map((panel, at) => graph(panel, head.id + at + 1, at, y));
    y += HEIGHT * Math.ceil((inRow.length * WIDTH) / COLUMNS);
    return [head, ...graphs];
  });
  return {
    uid,
    title,
    schemaVersion: 39,
    tags: ['ces'],
    time: { from: 'now-6h', to: 'now' },
    refresh: '30s',
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        chosen('namespace', 'Namespace', `label_values(${OURS}, namespace)`),
        chosen('release', 'Release', `label_values(${withScope(OURS, { namespace: '$namespace' })}, release)`),
      ],
    },
    panels,
  };
}

function chosen(name: string, label: string, query: string): unknown {
  return {
    name,
    label,
    type: 'query',
    datasource: DATA_SOURCE,
    query: { query, refId: name },
    definition: query,
    // Grafana's "On time range change".
    refresh: 2,
    sort: 1,
  };
}

function graph({ title, description, unit, queries, limit }: Panel, id: number, at: number, y: number): unknown {
  const position = at * WIDTH;
  const steps = [{ color: 'green', value: null }, ...(limit === undefined ? [] : [{ color: 'red', value: limit }])];
  return {
    id,
    type: 'timeseries',
    title,
    description,
    datasource: DATA_SOURCE,
    gridPos: { x: position % COLUMNS, y: y + HEIGHT * Math.floor(position / COLUMNS), w: WIDTH, h: HEIGHT },
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds: { mode: 'absolute', steps },
        custom: { thresholdsStyle: { mode: limit === undefined ? 'off' : 'line' } },
      },
      overrides: [],
    },
    targets: queries.map(({ expr, legend }, index) => ({
      refId: String.fromCharCode(65 + index),
      datasource: DATA_SOURCE,
      expr: withScope(expr, CHOSEN_SCOPE),
      legendFormat: legend,
    })),
  };
}
