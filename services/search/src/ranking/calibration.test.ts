import { expect, test } from 'vitest';
import { currentCalibration, loadCalibrations, probabilityOf } from './calibration.ts';

const calibrations = loadCalibrations();
const FEATURES = { score: 0.3, highest: 40 };

test('the newest calibration is in force', () => {
  expect(currentCalibration()).toEqual(calibrations[0]);
});

test('versions differ, and none is called trusted on few queries or by a large error', () => {
  const versions = calibrations.map(({ version }) => version);
  expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => b - a));
  for (const { trusted, fitted } of calibrations)
    if (trusted) expect([fitted.queries >= 150, fitted.expectedError <= 0.05]).toEqual([true, true]);
});

test('a better score is more probable, and none is certain', () => {
  const probability = (change: Partial<typeof FEATURES>) =>
    probabilityOf({ ...FEATURES, ...change }, currentCalibration());
  expect(probability({})).toBeGreaterThan(probability({ score: 0.2 }));
  for (const extreme of [{ score: 0 }, { score: 1 }, { highest: 0 }]) {
    expect(probability(extreme)).toBeGreaterThan(0);
    expect(probability(extreme)).toBeLessThan(1);
  }
});

test('a small record, of which every word is frequent, is rated like the least that was fitted', () => {
  const calibration = currentCalibration();
  expect(probabilityOf({ ...FEATURES, highest: 0.1 }, calibration)).toBe(
    probabilityOf({ ...FEATURES, highest: 10 }, calibration),
  );
});
