import { isIP } from 'node:net'
import { inspect } from 'node:util'
import { ParseError } from '../primitives/errors.ts'
import { formatLiteServer, type LiteServerAddress, parseLiteServer } from '../primitives/LiteServerAddress.ts'
import { formatRate, parseRate, type Rate } from '../primitives/Rate.ts'

/** A value that never appears in logs, errors or JSON; read it with `reveal`. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }

  [inspect.custom](): string {
    return '[secret]'
  }
}

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

/** A URL. The code that uses it checks what it points to. */
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

/** How much may be asked. */
export const rate = (): Kind<Rate> => ({
  expects: 'requests per second, such as 10, or 10:40 where 40 may come at once',
  placeholder: 'rate',
  parse: parsed(parseRate),
  format: formatRate,
})

/** A network of addresses, as proxies may be in. */
export const subnet = (): Kind<{ readonly address: string; readonly bits: number }> => ({
  expects: 'an address or a network of them, such as 10.0.0.0/8, 127.0.0.1 or fd00::/8',
  placeholder: 'network',
  parse: parsed((text) => {
    const [address = '', bitsText, ...rest] = text.split('/')
    const most = { 4: 32, 6: 128 }[isIP(address)]
    if (most === undefined || rest.length > 0 || address.includes('%')) return undefined
    if (bitsText === undefined) return { address, bits: most }
    const bits = /^\d{1,3}$/.test(bitsText) ? Number(bitsText) : most + 1
    return bits <= most ? { address, bits } : undefined
  }),
  format: ({ address, bits }) => `${address}/${bits}`,
})

const name = /^[a-z][a-z0-9-]{0,31}$/

export type DefinedPlan = { readonly name: string; readonly rate: Rate; readonly pool: string | undefined }

/** A plan of keys: how much they may ask, and the nodes that are theirs. */
export const plan = (): Kind<DefinedPlan> => ({
  expects: 'a plan as name=rate or name=rate@pool, such as partner=200:400@fast',
  placeholder: 'name=rate@pool',
  parse: parsed((text) => {
    const [, called, rateText, pool] = /^([^=@]+)=([^=@]+)(?:@([^=@]+))?$/.exec(text) ?? []
    if (called === undefined || rateText === undefined || !name.test(called)) return undefined
    if (pool !== undefined && !name.test(pool)) return undefined
    return { name: called, rate: parseRate(rateText), pool }
  }),
  format: ({ name: called, rate: each, pool }) =>
    `${called}=${formatRate(each)}${pool === undefined ? '' : `@${pool}`}`,
})

export type DefinedStreamPlan = {
  readonly name: string
  /** `undefined`: no limit. */
  readonly connections: number | undefined
  readonly addresses: number | undefined
  readonly replayMs: number | undefined
  readonly isForAll: boolean
}

/** Limits of the streams of a plan. */
export const streamPlan = (): Kind<DefinedStreamPlan> => ({
  expects: 'limits as name=connections/addresses/duration, such as partner=20/5000/7d, partner=-/-/-/all',
  placeholder: 'name=connections/addresses/duration',
  parse: parsed((text) => {
    const [, called, ...limits] = streamPlanForm.exec(text) ?? []
    if (called === undefined || !name.test(called)) return undefined
    const [connections, addresses, replay, all] = limits
    const count = (limit: string | undefined): number | undefined => (limit === '-' ? undefined : Number(limit))
    const [, amount, unit = ''] = /^(\d+)(\w)$/.exec(replay ?? '') ?? []
    const replayMs = replay === '-' ? undefined : Number(amount) * durationUnits[unit]!
    return {
      name: called,
      connections: count(connections),
      addresses: count(addresses),
      replayMs,
      isForAll: all !== undefined,
    }
  }),
  format: ({ name: called, connections, addresses, replayMs, isForAll }) =>
    `${called}=${connections ?? '-'}/${addresses ?? '-'}/${replayMs === undefined ? '-' : formatDuration(replayMs)}${isForAll ? '/all' : ''}`,
})

const streamPlanForm = /^([^=]+)=(-|\d{1,9})\/(-|\d{1,9})\/(-|\d{1,6}[smhd])(\/all)?$/

/** The beginning of a path. */
export const urlPrefix = (): Kind<`/${string}`> => ({
  expects: 'a path without a slash at its end, such as /streaming',
  placeholder: 'path',
  parse: parsed((text) => (/^(\/[\w.-]+)+$/.test(text) ? (text as `/${string}`) : undefined)),
  format: (value) => value,
})

/** A number for a plan. */
export const planCount = (): Kind<{ readonly name: string; readonly count: number }> => ({
  expects: 'a plan and a number, such as partner=20',
  placeholder: 'plan=number',
  parse: parsed((text) => {
    const [, called = '', count] = /^([^=]+)=(\d{1,6})$/.exec(text) ?? []
    return count === undefined || !name.test(called) ? undefined : { name: called, count: Number(count) }
  }),
  format: ({ name: called, count }) => `${called}=${count}`,
})

export type PoolServer = { readonly pool: string; readonly server: LiteServerAddress }

/** A server of a pool that has a name. */
export const poolServer = (): Kind<PoolServer> => ({
  expects: 'a liteserver of a pool as pool=host:port:key',
  placeholder: 'pool=host:port:key',
  parse: parsed((text) => {
    const at = text.indexOf('=')
    const pool = text.slice(0, Math.max(0, at))
    return name.test(pool) ? { pool, server: parseLiteServer(text.slice(at + 1)) } : undefined
  }),
  format: ({ pool, server }) => `${pool}=${formatLiteServer(server)}`,
})

const parsed =
  <T>(parse: (text: string) => T | undefined) =>
  (texts: readonly string[]): T | undefined => {
    if (texts.length !== 1) return undefined
    try {
      return parse(texts[0] ?? '')
    } catch (error) {
      if (error instanceof ParseError) return undefined
      throw error
    }
  }

/** A network that is served beside the first one. */
export type FurtherNetwork = {
  readonly name: string
  /** Path of its configuration file. */
  readonly file: string | undefined
}

export const furtherNetwork = (): Kind<FurtherNetwork> => ({
  expects:
    'the name of a network, with its configuration file after = if it has one (test, test=test.json); a name has up to 16 lower-case letters, digits and dashes',
  placeholder: 'name[=file]',
  parse: single((value) => {
    const [, name, file] = /^([a-z][a-z0-9-]{0,15})(?:=(.+))?$/.exec(value) ?? []
    return name === undefined ? undefined : { name, file }
  }),
  format: ({ name, file }) => (file === undefined ? name : `${name}=${file}`),
})

/** The name of a host, as browsers send it: without a port. */
export const hostName = (): Kind<string> => ({
  expects: 'the name of a host without a port, such as testnet.example.org',
  placeholder: 'host',
  parse: single((value) => (/^[0-9a-z](?:[0-9a-z.-]{0,251}[0-9a-z])?$/i.test(value) ? value.toLowerCase() : undefined)),
  format: (value) => value,
})
