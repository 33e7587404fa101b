import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { type Libraries, libPublishersType, simpleLibsType } from '../../codec/tlb/StateInit.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { AccountBook } from './AccountBook.ts'

type PublicLibraries = ReadonlyMap<string, { readonly hash: Uint8Array; readonly root: Cell }>

/** The libraries that masterchain accounts keep public, after the accounts of a block have changed. */
export const updateLibraries = (libraries: Libraries, accounts: AccountBook): Libraries => {
  let updated = libraries
  for (const { hash, original, current } of accounts.list()) {
    const before = listPublic(original?.account)
    const after = listPublic(current.account)
    for (const [key, library] of before) if (!after.has(key)) updated = withdraw(updated, library.hash, hash)
    for (const [key, library] of after) if (!before.has(key)) updated = publish(updated, library, hash)
  }
  return updated
}

const listPublic = (cell: Cell | undefined): PublicLibraries => {
  const found = new Map<string, { hash: Uint8Array; root: Cell }>()
  const account = cell && openAccount(cell)
  if (account?.kind !== 'account' || account.state.kind !== 'active') return found
  const { library } = account.state.init
  if (library === undefined) return found
  new Dict(simpleLibsType, library).forEach((hash, { isPublic, root }) => {
    // A library counts under its own hash only.
    if (isPublic && bytesEqual(root.hash(), hash)) found.set(toHex(hash), { hash: hash.slice(), root })
  })
  return found
}

const publish = (
  libraries: Libraries,
  { hash, root }: { hash: Uint8Array; root: Cell },
  publisher: Uint8Array,
): Libraries => {
  const publishers = libraries.find(hash)?.publishers ?? new Dict(libPublishersType)
  return libraries.set(hash, { lib: root, publishers: publishers.set(publisher, true) })
}

const withdraw = (libraries: Libraries, hash: Uint8Array, publisher: Uint8Array): Libraries => {
  const known = libraries.find(hash)
  if (known === undefined) return libraries
  const publishers = known.publishers.delete(publisher)
  return publishers.isEmpty ? libraries.delete(hash) : libraries.set(hash, { ...known, publishers })
}
