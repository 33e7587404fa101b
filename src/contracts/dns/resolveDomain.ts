import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { type DnsEntry, listDnsEntries, readDnsRecord } from '../../codec/content/dns.ts'
import { encodeUtf8, findUtf8 } from '../../codec/content/text.ts'
import { contentDictType } from '../../codec/content/tokenContent.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { CodedError, ParseError } from '../../primitives/errors.ts'
import { toHex } from '../../primitives/hex.ts'
import { bytesArgument, findReadable, intArgument, type MethodResult, type RunMethod } from '../getMethods.ts'

/** A resolver of domain names did not answer as resolvers do. */
export class DnsError extends CodedError {
  readonly code = 'dns_failed'
}

/** It did not answer at all: the get-method failed, or there is none. */
export class ResolverFailedError extends DnsError {}

/** The resolver account has no contract. */
export class ResolverMissingError extends ResolverFailedError {
  readonly resolver: Address

  constructor(resolver: Address) {
    super(`The resolver ${formatRawAddress(resolver)} is not an active contract.`)
    this.resolver = resolver
  }
}

/** The answer of a resolver: how many bytes of the name it resolved, and their record. */
export type ResolverAnswer = {
  readonly asked: Uint8Array
  readonly resolvedBytes: number
  readonly found: Cell | undefined
}

/** Asks for the records of all categories at once. */
const ALL_CATEGORIES = intArgument(0n)

const self = new Uint8Array(1)

/** The exit code of a run without code. */
const NO_CODE = -13

/**
 * Asks one resolver for a name; where there is no contract there is no answer. Some resolvers expect a zero byte in front,
 * which says that the name is relative to them, and some know names without it alone: either gets a second chance.
 */
const askResolver = async (
  run: RunMethod,
  resolver: Address,
  name: Uint8Array,
): Promise<ResolverAnswer | undefined> => {
  const first = await ask(run, resolver, name)
  if (first.exitCode === NO_CODE) return undefined
  if (isAnswer(first) || name.length === 1) return toAnswer(first, resolver, name)
  const other = name[0] === 0 ? name.subarray(1) : concatBytes([self, name])
  const second = await ask(run, resolver, other)
  return succeeded(second) ? toAnswer(second, resolver, other) : toAnswer(first, resolver, name)
}

const ask = (run: RunMethod, resolver: Address, name: Uint8Array): Promise<MethodResult> =>
  run(resolver, 'dnsresolve', [bytesArgument(name), ALL_CATEGORIES])

const succeeded = ({ exitCode }: MethodResult): boolean => exitCode === 0 || exitCode === 1

const isAnswer = (result: MethodResult): boolean => succeeded(result) && result.stack[1]?.kind === 'cell'

const toAnswer = ({ exitCode, stack }: MethodResult, resolver: Address, asked: Uint8Array): ResolverAnswer => {
  const where = `The resolver ${formatRawAddress(resolver)}`
  if (exitCode !== 0 && exitCode !== 1) throw new ResolverFailedError(`${where} ended with exit code ${exitCode}.`)
  const [bits, found] = stack
  if (stack.length !== 2 || bits?.kind !== 'int' || (found?.kind !== 'cell' && found?.kind !== 'null')) {
    throw new DnsError(`${where} should leave a number and a cell or null, it left ${stack.length} entries.`)
  }
  const { value } = bits
  if (value < 0n || value % 8n !== 0n || value > BigInt(8 * asked.length)) {
    throw new DnsError(`${where} resolved ${value} bits of a name of ${asked.length} bytes.`)
  }
  return { asked, resolvedBytes: Number(value / 8n), found: found.kind === 'cell' ? found.cell : undefined }
}

/** A name goes into one cell, and the byte in front of it that stands for the resolver itself. */
const MAX_ENCODED = 126

const separator = new Uint8Array(1)

/**
 * The bytes of a name (TEP-81): its labels from the last to the first, a zero byte behind each. Names are in lower case; a
 * dot at the end is taken along, and no label, or `.`, is the resolver's own name.
 */
export const encodeDomain = (name: string): Uint8Array => {
  const text = name.toLowerCase().replace(/\.$/, '')
  const labels = text === '' ? [] : text.split('.')
  if (labels.some((label) => !isLabel(label))) {
    throw new ParseError('a domain name of labels without blanks between single dots', name)
  }
  const encoded = concatBytes(labels.reverse().flatMap((label) => [encodeUtf8(label), separator]))
  if (encoded.length > MAX_ENCODED) throw new ParseError(`a domain name of at most ${MAX_ENCODED} bytes`, name)
  return encoded
}

/** The name behind such bytes, or a part of them from the front; `undefined` where they spell out none. */
export const decodeDomain = (encoded: Uint8Array): string | undefined => {
  const text = findUtf8(encoded)
  if (text === undefined) return undefined
  const labels = text.replace(/^\0/, '').replace(/\0$/, '').split('\0')
  return labels.reverse().join('.')
}

const isLabel = (label: string): boolean => label !== '' && !/[\p{Cc}\p{Cs}\p{Z}]/u.test(label)

/** More resolvers than any name has labels. */
const MAX_HOPS = 64

/** Where the way from resolver to resolver ended, with names as the node client spells them: relative, with the dots it cuts at. */
export type ResolvedDomain =
  /** At the whole name. A name without records, or that its zone does not know, has no entries. `name` is the part the last resolver was asked for. */
  | { readonly kind: 'records'; readonly name: string; readonly entries: readonly DnsEntry[] }
  /** Before the name did, because no more resolvers were to be asked: the part that the last one knew, and who knows the rest. */
  | { readonly kind: 'delegated'; readonly name: string; readonly resolver: Address }

/**
 * Finds the records of a name, which is relative to the first resolver asked. `maxDelegations` says how often that may send
 * on to another resolver. A resolver that is not deployed fails the search.
 */
export const resolveDomain = async (
  run: RunMethod,
  resolver: Address,
  name: string,
  maxDelegations: number,
): Promise<ResolvedDomain> => {
  let asked = resolver
  let rest = concatBytes([separator, encodeDomain(name)])
  const visited = new Set<string>()
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const visit = `${formatRawAddress(asked)} ${toHex(rest)}`
    if (visited.has(visit)) throw new DnsError(`The resolver ${formatRawAddress(asked)} refers back to itself.`)
    visited.add(visit)
    const answer = await askResolver(run, asked, rest)
    if (answer === undefined) throw new ResolverMissingError(asked)
    const part = hop === 0 && rest.length === 1 ? '.' : spell(rest.subarray(0, -1))
    if (answer.found === undefined) return { kind: 'records', name: part, entries: [] }
    if (answer.resolvedBytes === answer.asked.length) {
      return { kind: 'records', name: part, entries: readRecords(answer.found) }
    }
    checkCut(answer.asked, answer.resolvedBytes)
    const known = answer.asked.subarray(0, answer.resolvedBytes)
    rest = answer.asked.subarray(answer.resolvedBytes)
    asked = readNextResolver(answer.found)
    if (hop === maxDelegations) return { kind: 'delegated', name: spell(known), resolver: asked }
  }
  throw new DnsError(`A name is resolved by at most ${MAX_HOPS} resolvers, this one by more.`)
}

/** Bytes of a name as text, the last label first, every zero byte a dot: `\0ton\0alice` is `alice.ton.`. */
const spell = (encoded: Uint8Array): string => (findUtf8(encoded) ?? '').split('\0').reverse().join('.')

/** A resolver knows whole labels, the zero byte behind the last of them or not. */
const checkCut = (name: Uint8Array, bytes: number): void => {
  if (bytes === 0 || (name[bytes - 1] !== 0 && name[bytes] !== 0)) {
    throw new DnsError('A resolver knows a part of a label and sends on for the rest of it.')
  }
}

const readRecords = (cell: Cell): readonly DnsEntry[] => {
  const entries = findReadable(() => listDnsEntries(new Dict(contentDictType, cell)))
  if (entries === undefined) throw new DnsError('A resolver should leave a dictionary of records, it left other cells.')
  return entries
}

const readNextResolver = (cell: Cell): Address => {
  const record = findReadable(() => readDnsRecord(openCell(cell)))
  if (record?.kind !== 'nextResolver' || record.resolver.kind !== 'std') {
    throw new DnsError('A resolver that knows a part of a name should name the next resolver, it named none.')
  }
  return { workchain: record.resolver.workchain, hash: record.resolver.hash.slice() }
}
