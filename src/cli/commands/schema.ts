// tiphys schema: the JSON Schemas, generated from the source of the checks.
import { Argument } from 'commander';
import { EXIT } from '../../errors.ts';
import { renderJson } from '../../view/lines.ts';
import type { CommandSpec, Context } from '../command.ts';

export const schemaCommand: CommandSpec = {
  name: 'schema',
  description: 'Print the JSON Schema of a file, for editors and other validators.',
  examples: [
    ['tiphys schema > platform.schema.json', 'the schema of platform.yaml'],
    ['tiphys schema environment > environment.schema.json', 'the schema of environment.yaml'],
  ],
  arguments: [
    new Argument('[file]', 'the file').choices(['platform', 'environment']).default('platform'),
  ],
  action: async ({ io }: Context, _: object, file: 'platform' | 'environment') => {
    const { jsonSchema } = await import('../../model/json-schema.ts');
    io.stdout(renderJson(jsonSchema(file)));
    return EXIT.ok;
  },
};
