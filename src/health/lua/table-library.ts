// The library `table`.
import { type Arguments, libraryOf, type Native } from './arguments.ts';
import { asText, isText, type Machine } from './machine.ts';
import { isTrue, LuaFunction, type LuaTable, typeName, type Value } from './value.ts';

const FUNCTIONS: Readonly<Record<string, Native>> = {
  concat: (args) => [concat(args)],
  getn: (args) => [args.table(1).length],
  insert: (args) => {
    const table = args.table(1);
    if (args.count === 1) throw args.machine.error('wrong number of arguments');
    args.machine.meter.take(48);
    args.machine.lengthOf(table);
    if (args.count === 2) table.append(args.at(2));
    else insertAt(args, table);
    return [];
  },
  maxn: (args) => [args.table(1).length],
  remove: (args) => [args.table(1).remove(args.whole(2, -1))],
  sort: (args) => {
    sort(args);
    return [];
  },
};

export const tableLibrary = (machine: Machine): LuaTable => libraryOf(machine, FUNCTIONS);

function insertAt(args: Arguments, table: LuaTable): void {
  const at = args.whole(2);
  args.machine.meter.step(Math.max(0, table.list.length - at));
  if (at > 0) args.machine.meter.take(table.growth(at) * 16);
  table.insert(at, args.any(3));
}

function concat(args: Arguments): Value {
  const table = args.table(1);
  const separator = args.at(2) === undefined ? '' : args.text(2);
  const { length } = table;
  const first = args.whole(3, 1);
  if (args.count === 3 && (first > length || first < 1)) return '';
  const from = Math.max(Math.min(first, length), 1);
  const to = Math.min(args.whole(4, length), length);
  const parts: string[] = [];
  for (let at = from; at <= to; at++) {
    const value = table.list[at - 1];
    if (!isText(value)) {
      const name = typeName(value);
      throw args.machine.error(`invalid value (${name}) at index ${at} in table for concat`);
    }
    const part = asText(value);
    args.machine.meter.step(2);
    args.machine.meter.take(part.length + separator.length);
    parts.push(part);
  }
  return parts.join(separator);
}

function sort(args: Arguments): void {
  const table = args.table(1);
  const { machine } = args;
  const { line } = machine;
  const order = args.count > 1 ? args.function(2) : undefined;
  const less = (a: Value, b: Value): boolean => {
    machine.meter.step();
    if (order instanceof LuaFunction) return isTrue(machine.call(order, [a, b], line)[0]);
    return machine.less(a, b, line);
  };
  // Nils would be sorted past the comparison.
  const boxed = table.list.map((value) => ({ value }));
  boxed.sort((a, b) => (less(a.value, b.value) ? -1 : less(b.value, a.value) ? 1 : 0));
  table.list = boxed.map(({ value }) => value);
}
