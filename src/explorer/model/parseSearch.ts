import { findHash, findRawAddress } from './addresses.ts'

/** The meaning of a search text. */
export type SearchTarget =
  | { readonly kind: 'address'; readonly raw: string }
  | { readonly kind: 'hash'; readonly hex: string }
  | { readonly kind: 'block'; readonly workchain: number; readonly shard: string; readonly seqno: number }
  | { readonly kind: 'seqno'; readonly seqno: number }
  | { readonly kind: 'domain'; readonly domain: string }

const MAX_SEQNO = 0x7fff_ffff
const TOP_LEVEL = '.ton'

/** All possible meanings of a text, most likely first. */
export const parseSearch = (input: string): SearchTarget[] => {
  const text = input.trim()
  if (text === '') return []
  const raw = findRawAddress(text)
  if (raw !== undefined) return [{ kind: 'address', raw }]
  const hex = findHash(text)
  if (hex !== undefined) return [{ kind: 'hash', hex }]
  const block = /^\(?\s*(-?\d{1,10})\s*[,:/ ]\s*([0-9a-fA-F]{1,16}|-?\d{1,19})\s*[,:/ ]\s*(\d{1,10})\s*\)?$/.exec(text)
  if (block !== null) {
    return [{ kind: 'block', workchain: Number(block[1]), shard: readShard(block[2]!), seqno: Number(block[3]) }]
  }
  const digits = text.replaceAll(/[\s_#]/g, '')
  if (/^\d{1,10}$/.test(digits) && Number(digits) <= MAX_SEQNO) return [{ kind: 'seqno', seqno: Number(digits) }]
  const domain = text.toLowerCase()
  if (/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*$/u.test(domain) && domain.length <= 126) {
    return [{ kind: 'domain', domain: domain.includes('.') ? domain : domain + TOP_LEVEL }]
  }
  return []
}

/** Hexadecimal as in v3, or signed decimal as in v2. */
const readShard = (text: string): string => {
  if (/^-\d+$/.test(text) || /^\d{17,19}$/.test(text))
    return BigInt.asUintN(64, BigInt(text)).toString(16).toUpperCase()
  return text.toUpperCase()
}

/** The signed decimal form of v2. */
export const signedShard = (hex: string): string => BigInt.asIntN(64, BigInt(`0x${hex}`)).toString()

export const hexShard = (signed: string): string => BigInt.asUintN(64, BigInt(signed)).toString(16).toUpperCase()
