import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foreignWindow } from '../../test/fakes/cluster.ts';
import type { SyncWindow } from '../ports/argocd-applications.ts';
import { holdWindow } from './hold.ts';
import { blockedByOthers } from './sync-windows.ts';

const NOON = Date.parse('2026-11-15T12:00:00Z');
const ours: SyncWindow = { ...holdWindow(['a']), active: true };
const window = (part: Partial<SyncWindow>): SyncWindow => ({
  kind: 'allow',
  schedule: '0 8 * * *',
  duration: '2h',
  manualSync: false,
  active: false,
  ...part,
});
const allow = (active: boolean, manualSync = false) => window({ active, manualSync });
const deny = (active: boolean, manualSync = false) => window({ kind: 'deny', active, manualSync });
const by = (...windows: SyncWindow[]) => blockedByOthers(windows, NOON)?.by;

describe("as Argo CD's CanSync judges a requested sync, without our window", () => {
  test.each<[string, SyncWindow[], boolean]>([
    ['no windows', [], false],
    ['an allow window that is open', [allow(true)], false],
    ['an allow window that is closed', [allow(false)], true],
    ['a closed one that lets manual syncs through', [allow(false, true)], false],
    ['two closed ones, of which one does not', [allow(false, true), allow(false)], true],
    ['one open, one closed', [allow(false), allow(true)], false],
    ['an active deny', [deny(true)], true],
    ['an active deny that lets manual syncs through', [deny(true, true)], false],
    ['two active denies, of which one does not', [deny(true, true), deny(true)], true],
    ['a deny that is not active', [deny(false)], false],
    ['an active deny beside an open allow', [deny(true), allow(true)], true],
    ['a deny that is not active beside a closed allow', [deny(false), allow(false)], true],
    [
      'an active deny for all but manual ones opens a closed allow',
      [deny(true, true), allow(false)],
      false,
    ],
  ])('%s', (_, windows, blocked) => {
    expect(by(...windows) !== undefined).toBe(blocked);
    expect(by(ours, ...windows) !== undefined).toBe(blocked);
    expect(by(...windows, ours) !== undefined).toBe(blocked);
  });

  // Written from the Go source, line by line, to be compared with.
  const canSync = (windows: readonly SyncWindow[]) => {
    if (windows.length === 0) return true;
    const denies = windows.filter((w) => w.active && w.kind === 'deny');
    if (denies.length > 0) return denies.every((w) => w.manualSync);
    if (windows.some((w) => w.active && w.kind === 'allow')) return true;
    const inactiveAllows = windows.filter((w) => !w.active && w.kind === 'allow');
    if (inactiveAllows.length > 0) return inactiveAllows.every((w) => w.manualSync);
    return true;
  };

  test('whatever the windows', () => {
    const some = fc.record({
      kind: fc.constantFrom('allow' as const, 'deny' as const),
      active: fc.boolean(),
      manualSync: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(some, { maxLength: 6 }), (parts) => {
        const windows = parts.map(window);
        expect(by(...windows, ours) === undefined).toBe(canSync(windows));
      }),
    );
  });

  test('names the windows that forbid it', () => {
    expect(by(deny(true, true), deny(true))).toEqual([deny(true)]);
  });
});

describe('until when', () => {
  const until = (windows: SyncWindow[], timeZone?: string) => {
    const zones = timeZone
      ? windows.map((one) => foreignWindow({ ...one, given: { timeZone } }))
      : [];
    const at = blockedByOthers(windows, NOON, zones)?.at;
    return at === undefined ? undefined : new Date(at).toISOString();
  };

  test.each<[string, SyncWindow[], string | undefined]>([
    ['the next beginning of an allow', [allow(false)], '2026-11-16T08:00:00.000Z'],
    [
      'the first of two allows',
      [allow(false), window({ schedule: '30 13 * * *' })],
      '2026-11-15T13:30:00.000Z',
    ],
    [
      'the end of a deny',
      [window({ kind: 'deny', schedule: '0 11 * * *', duration: '1h30m', active: true })],
      '2026-11-15T12:30:00.000Z',
    ],
    [
      'the end of the later of two denies that follow each other',
      [
        window({ kind: 'deny', schedule: '0 11 * * *', duration: '1.5h', active: true }),
        window({ kind: 'deny', schedule: '15 12 * * *', duration: '60m', active: false }),
      ],
      '2026-11-15T13:15:00.000Z',
    ],
    [
      'the end of a deny that begins again before it ends',
      [window({ kind: 'deny', schedule: '0 11,12 * * *', duration: '90m', active: true })],
      '2026-11-15T13:30:00.000Z',
    ],
    [
      'after a deny the allow must be open too',
      [
        window({ kind: 'deny', schedule: '0 11 * * *', duration: '2h', active: true }),
        allow(false),
      ],
      '2026-11-16T08:00:00.000Z',
    ],
    [
      'on week days or the first, as cron has it',
      [window({ schedule: '0 9 1 * 2' })],
      '2026-11-17T09:00:00.000Z',
    ],
    ['a step with a start', [window({ schedule: '5/20 13 * * *' })], '2026-11-15T13:05:00.000Z'],
    [
      'not where it is always so',
      [window({ kind: 'deny', schedule: '* * * * *', duration: '24h', active: true })],
      undefined,
    ],
    [
      'not where it begins anew whenever it ends',
      [window({ kind: 'deny', schedule: '* * * * *', duration: '1m', active: true })],
      undefined,
    ],
    [
      'where it ends before it begins anew',
      [window({ kind: 'deny', schedule: '* * * * *', duration: '30s', active: true })],
      '2026-11-15T12:00:30.000Z',
    ],
    [
      'hours ahead, beside one that is always active',
      [
        window({ kind: 'deny', schedule: '0 11 * * *', duration: '4h', active: true }),
        window({ schedule: '* * * * *', duration: '1h', active: true }),
      ],
      '2026-11-15T15:00:00.000Z',
    ],
    ['not where it never comes', [window({ schedule: '0 8 31 2 *' })], undefined],
    ['not for a schedule that is none', [window({ schedule: 'soon' })], undefined],
    ['not for a duration that is none', [window({ duration: 'long' })], undefined],
    ['not where Argo CD reckons otherwise', [deny(true)], undefined],
  ])('%s', (_, windows, expected) => expect(until(windows)).toBe(expected));

  test("in the window's own zone", () => {
    expect(until([allow(false)], 'Asia/Tokyo')).toBe('2026-11-15T23:00:00.000Z');
  });

  test('UTC for a zone that nobody knows, as Argo CD takes it', () => {
    expect(until([allow(false)], 'Nowhere/Town')).toBe('2026-11-16T08:00:00.000Z');
  });

  test('not where two windows differ in their zones only', () => {
    const zones = ['UTC', 'Asia/Tokyo'].map((timeZone) =>
      foreignWindow({ ...allow(false), given: { timeZone } }),
    );
    expect(blockedByOthers([allow(false)], NOON, zones)).toMatchObject({ at: undefined });
  });

  test('in words', () => {
    expect(blockedByOthers([allow(false)], NOON)?.until).toBe(
      'until 2026-11-16T08:00:00.000Z (closed allow window "0 8 * * *" for 2h)',
    );
    expect(blockedByOthers([deny(true)], NOON)?.until).toBe(
      'for an unknown time (deny window "0 8 * * *" for 2h)',
    );
  });
});
