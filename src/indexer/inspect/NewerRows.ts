import { bytesEqual } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import type { ItemRow, KnownContracts, KnownToken, WalletRow } from './KnownContracts.ts'
import type { Subject } from './Subject.ts'
import type { VouchedTokens } from './VouchedTokens.ts'

/** Rows of subjects of which the store has a newer state already, with the same code. */
export type NewerRows = {
  readonly wallets: ReadonlyMap<string, WalletRow>
  readonly items: ReadonlyMap<string, ItemRow>
}

/**
 * Where history is filled in from above, most tokens are known as they are now. All that an older state of one adds is since when
 * it is there, so nothing has to be run: its row is written as it is, with that time.
 */
export const findNewerRows = async (
  subjects: readonly Subject[],
  vouched: VouchedTokens,
  known: KnownContracts,
): Promise<NewerRows> => {
  const older = (kind: KnownToken['kind']): Subject[] =>
    subjects.filter(({ key, codeHash, lastLt }) => {
      const token = vouched.findWithCode(kind, key, codeHash)
      return token !== undefined && token.lastLt >= lastLt
    })
  const [wallets, items] = [older('jettonWallet'), older('nftItem')]
  return {
    wallets: wallets.length === 0 ? new Map() : pick(wallets, await known.readWallets(wallets.map(accountOf))),
    items: items.length === 0 ? new Map() : pick(items, await known.readItems(items.map(accountOf))),
  }
}

const accountOf = ({ account }: Subject): Uint8Array => account

type Row = { readonly address: Uint8Array; readonly code_hash: Uint8Array; readonly last_lt: bigint }

/** The store may have gone back since. */
const pick = <R extends Row>(subjects: readonly Subject[], rows: readonly R[]): ReadonlyMap<string, R> => {
  const byKey = new Map(rows.map((row) => [toHex(row.address), row]))
  const newer = new Map<string, R>()
  for (const { key, codeHash, lastLt } of subjects) {
    const row = byKey.get(key)
    if (row !== undefined && row.last_lt >= lastLt && bytesEqual(row.code_hash, codeHash)) newer.set(key, row)
  }
  return newer
}
