import { Dict } from '../../../src/codec/cell/Dict.ts'
import { openAccount } from '../../../src/codec/tlb/Account.ts'
import type { ShardAccount } from '../../../src/codec/tlb/ShardAccounts.ts'
import { simpleLibsType } from '../../../src/codec/tlb/StateInit.ts'
import { toHex } from '../../../src/primitives/hex.ts'
import type { BlockContext } from './BlockContext.ts'
import type { Findings } from './Findings.ts'

const published = new Map<string, readonly string[]>()

/** Hashes of the libraries that an account keeps public. */
const listPublic = ({ account }: ShardAccount): readonly string[] => {
  const key = toHex(account.hash())
  const kept = published.get(key)
  if (kept !== undefined) return kept
  const opened = openAccount(account)
  const root = opened.kind === 'account' && opened.state.kind === 'active' ? opened.state.init.library : undefined
  const libraries = root === undefined ? [] : new Dict(simpleLibsType, root).entries()
  const list = libraries.filter(([, { isPublic }]) => isPublic).map(([hash]) => toHex(hash))
  published.set(key, list)
  return list
}

/** The libraries of the masterchain state are those that its accounts keep public; other states have none. */
export const checkLibraries = ({ after, isMaster }: BlockContext, findings: Findings): void => {
  const expected = new Map<string, string[]>()
  if (isMaster) {
    after.accounts.forEach((id, entry) => {
      for (const hash of listPublic(entry)) expected.set(hash, [...(expected.get(hash) ?? []), toHex(id)])
    })
  }
  const found = new Map(
    after.totals.libraries.entries().map(([hash, { lib, publishers }]) => {
      findings.equal('key of a library', toHex(hash), toHex(lib.hash()))
      return [toHex(hash), publishers.entries().map(([id]) => toHex(id))]
    }),
  )
  findings.sameKeys('libraries', found.keys(), expected.keys())
  for (const [hash, publishers] of found)
    findings.sameKeys(`publishers of ${hash}`, publishers, expected.get(hash) ?? [])
}
