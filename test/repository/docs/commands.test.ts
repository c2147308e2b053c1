// docs/commands/ and man/ are what the commands say now. `npm run docs:commands` writes them anew.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandFiles, MAN, PAGES } from '../../../website/commands/files.ts';
import { renderMan } from '../../../website/commands/man.ts';
import { renderPage } from '../../../website/commands/markdown.ts';
import { allOf, programReference, type Reference } from '../../../website/commands/reference.ts';

const files = commandFiles();
const stale = (all: ReadonlyMap<string, string>) =>
  [...all]
    .filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
    .map(([path]) => path);

describe('pages and man pages', () => {
  test('are current: if not, run `npm run docs:commands`', () => expect(stale(files)).toEqual([]));

  test('are all there, and no others', () => {
    const there = [PAGES, MAN].flatMap((folder) =>
      readdirSync(folder).map((name) => `${folder}/${name}`),
    );
    expect(there.sort()).toEqual([...files.keys()].sort());
    expect(there.length).toBeGreaterThan(40);
  });

  test('of man are named in package.json, and in the package', () => {
    const { man, files: packed } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(man).toEqual([...files.keys()].filter((path) => /^man/.test(path)).map((p) => `./${p}`));
    expect(packed).toContain(MAN);
  });

  test('planted: a page of an older command is stale', () => {
    const [path = '', text = ''] = [...files][3] ?? [];
    expect(stale(new Map([...files, [path, `${text}more\n`]]))).toEqual([path]);
  });
});

const PLANTED: Reference = {
  name: 'tiphys odd',
  usage: 'tiphys odd <x>',
  description: ".dot and a|b, `c|d` <e> it's \\ odd: more",
  arguments: [['<x>', "'quoted'"]],
  options: [['-z, --zed <x>', 'one | two <three>']],
  examples: [['tiphys odd "a b"', 'an example']],
  statuses: [['0', 'done']],
  commands: [],
};

describe('odd texts', () => {
  test('stay one row of a table, and no tag', () => {
    const page = renderPage(PLANTED);
    expect(page).toContain('| `-z, --zed <x>` | one \\| two \\<three> |');
    expect(page).toContain('.dot and a\\|b, `c\\|d` \\<e>');
    expect(page).toContain('|---|---|');
  });

  test('are no requests of roff', () => {
    const man = renderMan(PLANTED, '1');
    expect(man).toContain('\\&.dot and a|b, c|d <e> it\\(aqs \\e odd: more'.replace("'", '\\(aq'));
    expect(man).toContain('\\fBtiphys odd "a b"\\fR');
  });
});

test('a man page has nothing but known requests', () => {
  const requests = allOf(programReference()).flatMap((one) =>
    renderMan(one, '1')
      .split('\n')
      .filter((line) => /^[.']/.test(line)),
  );
  expect(requests.filter((line) => !/^\.(?:\\"|TH "|SH [A-Z ]+$|TP$)/.test(line))).toEqual([]);
});
