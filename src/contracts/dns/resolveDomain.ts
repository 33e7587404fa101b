import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { type DnsEntry, listDnsEntries, readDnsRecord } from '../../codec/content/dns.ts'
import { findUtf8 } from '../../codec/content/text.ts'
import { contentDictType } from '../../codec/content/tokenContent.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { concatBytes } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { findReadable } from '../methods/errors.ts'
import type { RunMethod } from '../methods/RunMethod.ts'
import { askResolver } from './askResolver.ts'
import { encodeDomain } from './domainName.ts'
import { DnsError, ResolverMissingError } from './errors.ts'

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
    const question = `${formatRawAddress(asked)} ${toHex(rest)}`
    if (visited.has(question)) throw new DnsError(`The resolver ${formatRawAddress(asked)} leads back to itself.`)
    visited.add(question)
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

const separator = new Uint8Array(1)

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
