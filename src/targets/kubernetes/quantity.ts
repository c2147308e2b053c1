// Quantities as Kubernetes writes them: 1930m cores, 16374240Ki.

const UNITS: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, '': 1 },
  ...{ k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** 0 where it is none. */
function quantityOf(text = ''): number {
  const [, digits = '', unit = ''] = /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(text) ?? [];
  const value = Number(digits || Number.NaN) * (UNITS[unit] ?? Number.NaN);
  return Number.isFinite(value) ? value : 0;
}

export const coresOf = quantityOf;
export const bytesOf = (text?: string): number => Math.round(quantityOf(text));
