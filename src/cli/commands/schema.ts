// tiphys schema: the JSON Schemas, from the same source as the checks.
import { Argument, type Command } from 'commander';
import { EXIT } from '../../errors.ts';
import { type Context, createCommand } from '../command.ts';

export function schemaCommand({ io, finish }: Context): Command {
  return createCommand({
    name: 'schema',
    description: 'Print the JSON Schema of a file, for editors and other checks.',
    examples: [
      ['tiphys schema > platform.schema.json', 'of platform.yaml'],
      ['tiphys schema environment > environment.schema.json', 'of environment.yaml'],
    ],
  })
    .addArgument(
      new Argument('[file]', 'which file').choices(['platform', 'environment']).default('platform'),
    )
    .action(async (file: 'platform' | 'environment') => {
      const [{ jsonSchema }, { renderJson }] = await Promise.all([
        import('../../model/json-schema.ts'),
        import('../../view/data.ts'),
      ]);
      io.stdout(renderJson(jsonSchema(file)));
      finish(EXIT.ok);
    });
}
