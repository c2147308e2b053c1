// The entrance: npm run stack -- COMMAND.

import { resolve } from 'node:path';
import { Argument, Command, CommanderError, Option } from 'commander';
import {
  ARGOCD_SHAPES,
  type ArgocdShape,
  binDirectory,
  loadConfig,
  stackEnvironment,
} from './config.ts';
import { Failure, NOT_USABLE } from './failure.ts';
import { image } from './images.ts';
import { listenForInterruption } from './interrupt.ts';
import { withLock } from './lock.ts';
import { machineHolder } from './machine.ts';
import { MODULES, versionOf } from './modules.ts';
import { killByName, logOf, restartByName, statusOfParts } from './names.ts';
import { debianPackages } from './needs.ts';
import { down, up } from './up.ts';
import { otherUsers } from './users.ts';

const EXAMPLES = `
Examples:
  npm run stack -- up                     # Kubernetes, Argo CD and Argo Workflows; builds them the first time
  npm run stack -- up --argocd none       # only Kubernetes
  eval "$(npm run -s stack -- env)"       # KUBECONFIG, ARGOCD_SERVER, ARGOCD_TOKEN_FILE and PATH for this shell
  npm run stack -- kill argocd-repo-server && npm run stack -- restart argocd-repo-server
  npm run stack -- image ./shop localhost/shop:1
  npm run stack -- down                   # nothing of it is left on the machine

Environment: TIPHYS_STACK_STATE (default /run/tiphys-stack) is where a running stack keeps its files.
Exit status: 0 done, 1 failed, 3 wrong usage or something that the machine lacks.`;

const config = (argocd?: ArgocdShape) => loadConfig(process.env, argocd);

async function runningConfig() {
  if (!(await machineHolder(config()))) throw new Failure("the stack is not up; 'up' starts it");
  return config();
}

function commands(): Command {
  const program = new Command('stack')
    .description('A real Kubernetes, Argo CD and Argo Workflows on this machine, for tests.')
    .addHelpText('after', EXAMPLES);
  program
    .command('up')
    .description('start what does not run yet; the first time it is built, for about 25 minutes')
    .addOption(new Option('--argocd <shape>', 'its timings, or none').choices(ARGOCD_SHAPES))
    .action(({ argocd }) => withLock(() => up(config(argocd))));
  program
    .command('down')
    .description('end everything and remove all traces but the cache')
    .option('--force', 'also while tests use it')
    .action(({ force }) => withLock(() => takeDown(force === true)));
  program.command('status').description('what runs, and in which versions').action(printStatus);
  program
    .command('env')
    .description('print export lines for a shell')
    .action(async () => printEnvironment(await runningConfig()));
  program
    .command('packages')
    .description('print the Debian packages that the stack needs')
    .action(() => console.log(debianPackages.join(' ')));
  const name = new Argument('<name>', "as 'status' prints it, or argocd-server");
  program
    .command('logs')
    .addArgument(name)
    .description("print the end of a part's log")
    .option('--lines <n>', 'how many', (text) => Number.parseInt(text, 10) || 200, 200)
    .action(async (part, { lines }) =>
      console.log(await logOf(await runningConfig(), part, lines)),
    );
  program
    .command('kill')
    .addArgument(name)
    .description('end a part as a crash would; it stays away')
    .action(async (part) => killByName(await runningConfig(), part));
  program
    .command('restart')
    .addArgument(name)
    .description('end a part if it runs, start it and wait until it is ready')
    .action(async (part) => restartByName(await runningConfig(), part));
  program
    .command('image')
    .arguments('<dir> <ref>')
    .description('build DIR/Dockerfile and load it into the node as REF')
    .action(async (dir, ref) => image(await runningConfig(), resolve(dir), ref));
  return program;
}

async function takeDown(force: boolean): Promise<void> {
  const users = otherUsers(config());
  if (users.length > 0 && !force) {
    throw new Failure(
      `tests use the stack (process ${users.join(', ')}); --force ends it all the same`,
    );
  }
  await down(config());
}

async function printStatus(): Promise<void> {
  for (const module of MODULES) console.log(`${module.name.padEnd(34)}${versionOf(module)}`);
  const up = await machineHolder(config());
  console.log(`\n${'stack'.padEnd(34)}${up ? `up, Argo CD: ${config().argocd}` : 'down'}`);
  if (!up) return;
  const parts = await statusOfParts(config());
  for (const { name, state } of parts) console.log(`${name.padEnd(34)}${state}`);
  if (parts.some(({ state }) => state !== 'ready')) process.exitCode = 1;
}

function printEnvironment(stack: ReturnType<typeof config>): void {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  for (const [name, value] of Object.entries(stackEnvironment(stack, process.env))) {
    // npm has put directories of its own on our PATH; the shell that reads this has a better one.
    const text = name === 'PATH' ? `${quote(binDirectory(stack))}:"$PATH"` : quote(value);
    console.log(`export ${name}=${text}`);
  }
}

async function main(): Promise<void> {
  listenForInterruption("'down' removes what was started");
  const program = commands();
  for (const command of [program, ...program.commands]) command.exitOverride();
  try {
    await program.parseAsync();
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : NOT_USABLE;
    } else if (error instanceof Failure) {
      console.error(`error: ${error.message}`);
      process.exitCode = error.exitStatus;
    } else throw error;
  }
}

await main();
