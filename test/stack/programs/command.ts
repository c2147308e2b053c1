// How command lines are written.

import { join } from 'node:path';
import { binDirectory, type Config } from '../config.ts';

export const option = (name: string, value: string) => `--${name}=${value}`;

/** A program that was built here. The path is absolute: whoever starts it may have any PATH. */
export const built = (config: Config, name: string) => join(binDirectory(config), name);
