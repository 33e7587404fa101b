import type { CellReader } from '../cell/CellReader.ts'
import type { CellWriter } from '../cell/CellWriter.ts'
import { readStateInit, type StateInit, writeStateInit } from './StateInit.ts'

export type AccountState =
  | { readonly kind: 'uninit' }
  /** `stateHash` is the hash of the StateInit that the account had, and that would thaw it. */
  | { readonly kind: 'frozen'; readonly stateHash: Uint8Array }
  | { readonly kind: 'active'; readonly init: StateInit }

const UNINIT: AccountState = { kind: 'uninit' }

/** account_uninit$00; account_active$1 _:StateInit; account_frozen$01 state_hash:bits256 = AccountState; */
export const readAccountState = (r: CellReader): AccountState => {
  if (r.readBit()) return { kind: 'active', init: readStateInit(r) }
  return r.readBit() ? { kind: 'frozen', stateHash: r.readBytes(32) } : UNINIT
}

export const writeAccountState = (w: CellWriter, state: AccountState): void => {
  switch (state.kind) {
    case 'uninit':
      w.writeUint(0b00, 2)
      return
    case 'frozen':
      w.writeUint(0b01, 2).writeBytes(state.stateHash)
      return
    case 'active':
      w.writeBit(true)
      writeStateInit(w, state.init)
  }
}
