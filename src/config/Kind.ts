import { ParseError } from '../primitives/errors.ts'
import { formatLiteServer, type LiteServerAddress, parseLiteServer } from '../primitives/LiteServerAddress.ts'
import { Secret } from './Secret.ts'

/** How the text of a setting becomes its value. */
export type Kind<T> = {
  /** Ends the sentence "it must be …". */
  readonly expects: string
  /** Stands for the value in help. A switch has none, since its flag alone means true. */
  readonly placeholder?: string
  /** The flag may be given several times; the environment separates values by commas, the file has an array. */
  readonly repeats?: true
  /** Values of it are never shown. */
  readonly hidden?: true
  /** The value, or `undefined` where the texts do not fit. There is more than one text only where it repeats. */
  parse(texts: readonly string[]): T | undefined
  /** The text that would parse to the value. */
  format(value: T): string
}

/** Any text that is not empty. `expects` says what it stands for: "a folder". */
export const text = (placeholder: string, expects: string): Kind<string> => ({
  expects,
  placeholder,
  parse: single((value) => (value === '' ? undefined : value)),
  format: (value) => value,
})

export const choice = <const T extends string>(values: readonly T[]): Kind<T> => ({
  expects: `one of ${values.join(', ')}`,
  placeholder: values.join('|'),
  parse: single((value) => values.find((candidate) => candidate === value)),
  format: (value) => value,
})

/** A switch: off unless given. `--no-…` turns it off again where a file or the environment turned it on. */
export const toggle = (): Kind<boolean> => ({
  expects: 'true or false',
  parse: single((value) => truthWords.get(value)),
  format: String,
})

export const integer = ({ min, max }: { min: number; max: number }): Kind<number> => ({
  expects: `a whole number from ${min} to ${max}`,
  placeholder: 'number',
  parse: single((value) => {
    if (!/^-?\d{1,16}$/.test(value)) return undefined
    const parsed = Number(value)
    return Number.isSafeInteger(parsed) && parsed >= min && parsed <= max ? parsed : undefined
  }),
  format: String,
})

/** Milliseconds, written with a unit: `250ms`, `30s`, `5m`, `2h`, `7d`. */
export const duration = ({ minMs, maxMs }: { minMs: number; maxMs: number }): Kind<number> => ({
  expects: `a duration from ${formatDuration(minMs)} to ${formatDuration(maxMs)}, such as 250ms, 30s, 5m, 2h or 7d`,
  placeholder: 'duration',
  parse: single((value) => {
    const [, amount, unit] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(value) ?? []
    if (amount === undefined || unit === undefined) return undefined
    const ms = Number(amount) * (durationUnits[unit] ?? Number.NaN)
    return ms >= minMs && ms <= maxMs ? ms : undefined
  }),
  format: formatDuration,
})

/** Where a liteserver listens and the key by which it is known: `host:port:key`. */
export const liteServer = (): Kind<LiteServerAddress> => ({
  expects: 'a liteserver as host:port:key, with its key of 32 bytes in base64 or hex',
  placeholder: 'host:port:key',
  parse: single((value) => {
    try {
      return parseLiteServer(value)
    } catch (error) {
      if (error instanceof ParseError) return undefined
      throw error
    }
  }),
  format: formatLiteServer,
})

/** An address to listen at, with its port. */
export type HostPort = { readonly host: string; readonly port: number }

/** Where to listen: `127.0.0.1:9081`, `[::1]:9081`; or `none` for nowhere. */
export const listenAddress = (): Kind<HostPort | 'none'> => ({
  expects: 'an address and a port, such as 127.0.0.1:9081 or [::1]:9081, or none',
  placeholder: 'address:port',
  parse: single((value) => {
    if (value === 'none') return 'none'
    const [, v6, name, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9A-Za-z.-]+)):([0-9]{1,5})$/.exec(value) ?? []
    const host = v6 ?? name
    const port = Number(digits ?? Number.NaN)
    return host !== undefined && port <= 65_535 ? { host, port } : undefined
  }),
  format: (value) =>
    value === 'none' ? value : `${value.host.includes(':') ? `[${value.host}]` : value.host}:${value.port}`,
})

/** Where something is on the web. What it leads to is looked at by whoever uses it. */
export const webUrl = (): Kind<URL> => ({
  expects: 'a URL that begins with https:// or http://',
  placeholder: 'url',
  parse: single((value) => (/^https?:\/\//i.test(value) && URL.canParse(value) ? new URL(value) : undefined)),
  format: (value) => value.href,
})

export const list = <T>(item: Kind<T>): Kind<readonly T[]> => ({
  expects: `a list, each item ${item.expects}`,
  placeholder: item.placeholder ?? 'value',
  repeats: true,
  ...(item.hidden && { hidden: true }),
  parse: (texts) => {
    const values = texts.map((value) => item.parse([value]))
    return values.every((value) => value !== undefined) ? values : undefined
  },
  format: (values) => values.map(item.format).join(','),
})

export const secret = (placeholder: string, expects: string): Kind<Secret> => ({
  expects,
  placeholder,
  hidden: true,
  parse: single((value) => (value === '' ? undefined : new Secret(value))),
  format: String,
})

const single =
  <T>(parse: (value: string) => T | undefined) =>
  (texts: readonly string[]): T | undefined =>
    texts.length === 1 ? parse(texts[0] ?? '') : undefined

const truthWords: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

const durationUnits: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const formatDuration = (ms: number): string => {
  const [unit, size] = Object.entries(durationUnits).findLast(([, size]) => ms >= size && ms % size === 0) ?? ['ms', 1]
  return `${ms / size}${unit}`
}
