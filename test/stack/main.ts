import { loadConfig } from './config.ts';
import { withLock } from './lock.ts';
import { down, up } from './up.ts';

const config = loadConfig(process.env, process.argv[3] as never);
if (process.argv[2] === 'up') await withLock(() => up(config));
else await withLock(() => down(config));
