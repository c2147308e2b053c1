// A folder with checks and so many cases, as people write them.
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CHECK = 'health/argoproj.io/Application';
const CASES_OF_A_CHECK = 50;

export function writeHealthCases(folder: string, count: number): void {
  for (let at = 0; at < count; at += CASES_OF_A_CHECK) {
    const check = join(folder, 'example.org', `Kind${at}`);
    mkdirSync(check, { recursive: true });
    cpSync(join(CHECK, 'health.lua'), join(check, 'health.lua'));
    const size = Math.min(CASES_OF_A_CHECK, count - at);
    const cases = Array.from({ length: size }, (_, index) => {
      const input = `healthy-${index}.yaml`;
      cpSync(join(CHECK, 'testdata/healthy.yaml'), join(check, input));
      return `- {inputPath: ${input}, healthStatus: {status: Healthy}}\n`;
    });
    writeFileSync(join(check, 'health_test.yaml'), `tests:\n${cases.join('')}`);
  }
}
