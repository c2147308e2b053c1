// The published JSON Schemas. What JSON Schema cannot say (references, cycles, ranges of durations) is checked later.
import { z } from 'zod';
import { environmentFile } from './environment-file.ts';
import { platformFile } from './platform-file.ts';

const FILES = { platform: platformFile, environment: environmentFile } as const;

export function jsonSchema(file: keyof typeof FILES): object {
  const schema = z.toJSONSchema(FILES[file], { io: 'input', target: 'draft-7' });
  return { ...schema, title: `Tiphys ${file}.yaml` };
}
