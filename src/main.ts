#!/usr/bin/env node
process.stdout.write('tiphys\n');
