import { findBase64, findRawAddress, fromHex, toBase64 } from './addresses.ts'
import type { ValueKind } from './methods.ts'

/** A get-method with its arguments, as people write it: `get_wallet_address(EQ…)`, `85143`. */
export type MethodCall = { readonly method: string; readonly args: readonly string[] }

/** An argument of the stack. */
export type StackArgument = { readonly type: 'num' | 'cell' | 'slice'; readonly value: string }

const MAX_ARGS = 32

/** Throws an error that says what was expected. */
export const parseCall = (text: string): MethodCall => {
  const [, method, list = ''] = /^\s*([^\s(),]{1,128})\s*(?:\((.*)\))?\s*$/s.exec(text) ?? []
  if (method === undefined) throw new Error('Write a method as name(arguments), for example get_wallet_address(EQ…).')
  const args = list.match(/"[^"]*"|[^,\s]+/g) ?? []
  if (args.length > MAX_ARGS) throw new Error(`A call has at most ${MAX_ARGS} arguments, not ${args.length}.`)
  return { method, args }
}

export const formatCall = ({ method, args }: MethodCall): string =>
  args.length === 0 ? method : `${method}(${args.join(', ')})`

const NUMBER = /^-?(?:0x[0-9a-fA-F]{1,64}|\d{1,78})$/

/** An argument of the stack from its text. Without a kind its form tells what it is. */
export const toStackArgument = (text: string, kind: ValueKind = 'any'): StackArgument => {
  const given = text.trim()
  if (kind === 'domain') return { type: 'slice', value: writeSlice(encodeDomain(unquote(given))) }
  if (given.startsWith('"') || kind === 'text') {
    return { type: 'slice', value: writeSlice(new TextEncoder().encode(unquote(given))) }
  }
  if (kind === 'address' || kind === 'any') {
    const raw = findRawAddress(given)
    if (raw !== undefined) return { type: 'slice', value: writeAddress(raw) }
    if (kind === 'address') throw new Error(`${given} is not a valid address.`)
  }
  const [, prefix, bag] = /^(?:(slice|cell):)?(.*)$/.exec(given)!
  if (kind !== 'cell' && prefix === undefined && NUMBER.test(given)) return { type: 'num', value: given }
  const boc = kind === 'cell' || kind === 'any' ? findBag(bag!) : undefined
  if (boc !== undefined) return { type: prefix === 'slice' ? 'slice' : 'cell', value: boc }
  throw new Error(
    kind === 'any'
      ? `${given} is not a valid argument: expected a number, an address, "text" or a bag of cells.`
      : kind === 'cell'
        ? `${given} is not a valid bag of cells: expected base64 or hex.`
        : `${given} is not a number.`,
  )
}

const unquote = (text: string): string => (/^".*"$/s.test(text) ? text.slice(1, -1) : text)

/** A bag of cells in either form, as base64. */
const findBag = (text: string): string | undefined => {
  const isHex = /^b5ee9c72(?:[0-9a-f]{2})+$/i.test(text)
  const bytes = isHex ? fromHex(text) : findBase64(text)
  const hasMagic = bytes?.[0] === 0xb5 && bytes[1] === 0xee && bytes[2] === 0x9c && bytes[3] === 0x72
  return hasMagic ? toBase64(bytes) : undefined
}

/** Labels from the last to the first, a zero behind each; the contract itself is a zero alone. */
const encodeDomain = (name: string): Uint8Array => {
  const labels = name === '' || name === '.' ? [''] : name.split('.').reverse()
  return new TextEncoder().encode(labels.map((label) => `${label}\0`).join(''))
}

const MAX_BYTES = 127

const writeSlice = (bytes: Uint8Array): string => {
  if (bytes.length > MAX_BYTES) throw new Error(`A text has at most ${MAX_BYTES} bytes, not ${bytes.length}.`)
  return writeCell(bytes, 2 * bytes.length)
}

/** An address has 267 bits: a tag of three, the workchain, the hash, and one that ends the data of the cell. */
const writeAddress = (raw: string): string => {
  const [workchain, hash] = raw.split(':') as [string, string]
  const value = (0b100n << 264n) | (BigInt.asUintN(8, BigInt(workchain)) << 256n) | BigInt(`0x${hash}`)
  const padded = (value << 5n) | 0b10000n
  return writeCell(fromHex(padded.toString(16).padStart(68, '0')), 67)
}

/** A bag of one cell without references. */
const writeCell = (data: Uint8Array, descriptor: number): string =>
  toBase64(Uint8Array.from([0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 1, 0, data.length + 2, 0, 0, descriptor, ...data]))
