import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { type Libraries, libPublishersType, librariesType, simpleLibsType } from '../../codec/tlb/StateInit.ts'
import { toHex } from '../../primitives/hex.ts'
import type { GenesisAccount } from './GenesisOptions.ts'

/** The libraries that accounts of the masterchain make public, each with all accounts that do. */
export const collectLibraries = (accounts: readonly GenesisAccount[]): Libraries => {
  const found = new Map<string, { readonly lib: Cell; readonly publishers: Uint8Array[] }>()
  for (const { address, init } of accounts) {
    if (init?.library === undefined) continue
    new Dict(simpleLibsType, init.library).forEach((hash, { isPublic, root }) => {
      if (!isPublic || !root.hasHash(hash)) return
      const key = toHex(hash)
      const known = found.get(key)
      if (known === undefined) found.set(key, { lib: root, publishers: [address.hash] })
      else known.publishers.push(address.hash)
    })
  }
  return Dict.of(
    librariesType,
    Array.from(found.values(), ({ lib, publishers }) => {
      const accounts = publishers.map((hash) => [hash, true] as const)
      return [lib.hash(), { lib, publishers: Dict.of(libPublishersType, accounts) }] as const
    }),
  )
}
