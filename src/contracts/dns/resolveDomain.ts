import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { contentDictType } from '../../codec/content/contentDict.ts'
import { readDnsRecord } from '../../codec/content/DnsRecord.ts'
import { type DnsEntry, listDnsEntries } from '../../codec/content/dnsContent.ts'
import { type Address, formatRawAddress } from '../../primitives/Address.ts'
import { toHex } from '../../primitives/hex.ts'
import { findReadable } from '../methods/errors.ts'
import type { RunMethod } from '../methods/RunMethod.ts'
import { askResolver } from './askResolver.ts'
import { decodeDomain, encodeDomain } from './domainName.ts'
import { DnsError, ResolverFailedError } from './errors.ts'

/** More resolvers than any name has labels. */
const MAX_HOPS = 64

/** Where the way from resolver to resolver ended. */
export type ResolvedDomain =
  /** At the whole name. A name without records, or that nobody knows, has no entries. */
  | { readonly kind: 'records'; readonly entries: readonly DnsEntry[] }
  /** Before the name did, because no more resolvers were to be asked: who knows the rest of it. */
  | { readonly kind: 'delegated'; readonly resolvedName: string; readonly resolver: Address }

/**
 * Finds the records of a name, which is relative to the first resolver asked. `maxDelegations` says how often that may send
 * on to another resolver.
 */
export const resolveDomain = async (
  run: RunMethod,
  resolver: Address,
  name: string,
  maxDelegations: number,
): Promise<ResolvedDomain> => {
  let asked = resolver
  let rest = encodeDomain(name)
  const whole = rest
  const visited = new Set<string>()
  for (let hop = 0; hop < MAX_HOPS; hop++) {
    const question = `${formatRawAddress(asked)} ${toHex(rest)}`
    if (visited.has(question)) throw new DnsError(`The resolver ${formatRawAddress(asked)} leads back to itself.`)
    visited.add(question)
    const answer = await askResolver(run, asked, rest)
    if (answer === undefined && hop === 0) {
      throw new ResolverFailedError(`There is no resolver at ${formatRawAddress(asked)}: no contract is there.`)
    }
    // A zone sends on to where the contract of a name would be, whether somebody has the name or not.
    if (answer?.found === undefined) return { kind: 'records', entries: [] }
    if (answer.resolvedBytes === answer.asked.length) return { kind: 'records', entries: readRecords(answer.found) }
    checkCut(answer.asked, answer.resolvedBytes)
    rest = answer.asked.subarray(answer.resolvedBytes)
    asked = readNextResolver(answer.found)
    if (hop === maxDelegations) {
      const known = whole.subarray(0, whole.length - rest.length)
      return { kind: 'delegated', resolvedName: decodeDomain(known) ?? '', resolver: asked }
    }
  }
  throw new DnsError(`A name is resolved by at most ${MAX_HOPS} resolvers, this one by more.`)
}

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
