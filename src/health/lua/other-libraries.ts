// The libraries `math` and `os`, and those that are refused by name.
import { libraryOf, type Native } from './arguments.ts';
import { type Machine, modulo } from './machine.ts';
import { LuaTable, type Value } from './value.ts';

const one = (compute: (number: number) => number): Native => {
  return (args) => [compute(args.number(1))];
};
const two = (compute: (a: number, b: number) => number): Native => {
  return (args) => [compute(args.number(1), args.number(2))];
};
const fold = (better: (value: number, best: number) => boolean): Native => {
  return (args) => {
    let best = args.number(1);
    for (let at = 2; at <= args.count; at++) {
      const value = args.number(at);
      if (better(value, best)) best = value;
    }
    return [best];
  };
};

/** Without `random`: the same object must have the same health. */
const MATH: Readonly<Record<string, Native>> = {
  abs: one(Math.abs),
  acos: one(Math.acos),
  asin: one(Math.asin),
  atan: one(Math.atan),
  atan2: two(Math.atan2),
  ceil: one(Math.ceil),
  cos: one(Math.cos),
  cosh: one(Math.cosh),
  deg: one((number) => (number * 180) / Math.PI),
  exp: one(Math.exp),
  floor: one(Math.floor),
  fmod: two((a, b) => a % b),
  log: one(Math.log),
  log10: one(Math.log10),
  max: fold((value, best) => value > best),
  min: fold((value, best) => value < best),
  mod: two(modulo),
  modf: (args) => {
    const number = args.number(1);
    return [Math.trunc(number), number - Math.trunc(number)];
  },
  pow: two((a, b) => a ** b),
  rad: one((number) => (number * Math.PI) / 180),
  sin: one(Math.sin),
  sinh: one(Math.sinh),
  sqrt: one(Math.sqrt),
  tan: one(Math.tan),
  tanh: one(Math.tanh),
};

export function mathLibrary(machine: Machine): LuaTable {
  const library = libraryOf(machine, MATH);
  library.set('pi', Math.PI);
  library.set('huge', Number.MAX_VALUE);
  return library;
}

/** Argo CD's controller runs in UTC. `now` is in milliseconds. */
export function osLibrary(machine: Machine, now: () => number): LuaTable {
  const seconds = () => Math.floor(now() / 1000);
  return libraryOf(machine, {
    time: (args) => [args.count === 0 ? seconds() : timeOf(args.table(1))],
    date: (args) => {
      const format = args.at(1) === undefined ? '%c' : args.text(1).replace(/^!+/, '');
      const date = new Date(args.whole(2, seconds()) * 1000);
      return [format.startsWith('*t') ? dateTable(date) : dateText(date, format)];
    },
  });
}

function timeOf(table: LuaTable): number {
  const field = (name: string, otherwise: number): number => {
    const value = table.get(name);
    return typeof value === 'number' ? Math.trunc(value) : otherwise;
  };
  const [year, month, day] = [field('year', -1), field('month', -1), field('day', -1)];
  const clock = [field('hour', 12), field('min', 0), field('sec', 0)] as const;
  return Date.UTC(year, month - 1, day, ...clock) / 1000;
}

function dateTable(date: Date): LuaTable {
  const table = new LuaTable();
  const fields: Readonly<Record<string, Value>> = {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    min: date.getUTCMinutes(),
    sec: date.getUTCSeconds(),
    wday: date.getUTCDay() + 1,
    // gopher-lua gives these two without looking.
    yday: 0,
    isdst: false,
  };
  for (const [name, value] of Object.entries(fields)) table.set(name, value);
  return table;
}

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

function dateText(date: Date, format: string): string {
  const pad = (number: number) => String(number).padStart(2, '0');
  const [year, month, day] = [
    date.getUTCFullYear(),
    pad(date.getUTCMonth() + 1),
    pad(date.getUTCDate()),
  ];
  const [hour, minute, second] = [
    date.getUTCHours(),
    date.getUTCMinutes(),
    date.getUTCSeconds(),
  ].map(pad);
  const name = MONTHS[date.getUTCMonth()] ?? '';
  const short = String(year).slice(-2);
  const half = date.getUTCHours() < 12 ? 'am' : 'pm';
  const texts: Readonly<Record<string, string>> = {
    // gopher-lua prints this word whatever the day.
    a: 'mon',
    A: DAYS[date.getUTCDay()] ?? '',
    b: name.slice(0, 3),
    B: name,
    c: `${day} ${name.slice(0, 3)} ${short} ${hour}:${minute} UTC`,
    d: day,
    F: `${year}-${month}-${day}`,
    H: hour ?? '',
    I: pad(date.getUTCHours() % 12 || 12),
    m: month,
    M: minute ?? '',
    p: half.toUpperCase(),
    P: half,
    S: second ?? '',
    w: String(date.getUTCDay()),
    x: `${hour}/${minute}/${second}`,
    X: `${hour}:${minute}:${second}`,
    y: short,
    Y: String(year),
    z: '+0000',
    Z: 'UTC',
    '%': '%',
  };
  return format.replace(/%(.)/gs, (whole, letter: string) => texts[letter] ?? whole);
}

/** A library whose every function says that it is not to be had. */
export function refusedLibrary(
  machine: Machine,
  name: string,
  functions: readonly string[],
): LuaTable {
  return libraryOf(
    machine,
    Object.fromEntries(functions.map((one) => [one, refused(`${name}.${one}`)])),
  );
}

export function refused(name: string): Native {
  return ({ machine }) => {
    throw machine.error(
      `${name} is not available: a health check sees its object and nothing else`,
    );
  };
}
