import { isIP } from 'node:net'
import { ParseError } from '../primitives/errors.ts'
import { formatLiteServer, type LiteServerAddress, parseLiteServer } from '../primitives/LiteServerAddress.ts'
import { formatRate, parseRate, type Rate } from '../primitives/Rate.ts'
import type { Kind } from './Kind.ts'

/** How much may be asked. */
export const rate = (): Kind<Rate> => ({
  expects: 'requests per second, such as 10, or 10:40 where 40 may come at once',
  placeholder: 'rate',
  parse: single(parseRate),
  format: formatRate,
})

/** A network of addresses, as proxies may be in. */
export const subnet = (): Kind<{ readonly address: string; readonly bits: number }> => ({
  expects: 'an address or a network of them, such as 10.0.0.0/8, 127.0.0.1 or fd00::/8',
  placeholder: 'network',
  parse: single((text) => {
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
  parse: single((text) => {
    const [, called, rateText, pool] = /^([^=@]+)=([^=@]+)(?:@([^=@]+))?$/.exec(text) ?? []
    if (called === undefined || rateText === undefined || !name.test(called)) return undefined
    if (pool !== undefined && !name.test(pool)) return undefined
    return { name: called, rate: parseRate(rateText), pool }
  }),
  format: ({ name: called, rate: each, pool }) =>
    `${called}=${formatRate(each)}${pool === undefined ? '' : `@${pool}`}`,
})

export type PoolServer = { readonly pool: string; readonly server: LiteServerAddress }

/** A server of a pool that has a name. */
export const poolServer = (): Kind<PoolServer> => ({
  expects: 'a liteserver of a pool as pool=host:port:key',
  placeholder: 'pool=host:port:key',
  parse: single((text) => {
    const at = text.indexOf('=')
    const pool = text.slice(0, Math.max(0, at))
    return name.test(pool) ? { pool, server: parseLiteServer(text.slice(at + 1)) } : undefined
  }),
  format: ({ pool, server }) => `${pool}=${formatLiteServer(server)}`,
})

const single =
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
