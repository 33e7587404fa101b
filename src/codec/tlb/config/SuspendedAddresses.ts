import { concatBytes } from '../../../primitives/bytes.ts'
import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { hashKey, int32Key, type KeyCodec, presenceValue } from '../../cell/dictTypes.ts'

/** An account of any workchain. */
export type WideAddress = { readonly workchain: number; readonly hash: Uint8Array }

/** Accounts that may not be activated before a moment. */
export type SuspendedAddresses = { readonly addresses: Dict<WideAddress, true>; readonly suspendedUntil: number }

/** Keys of 288 bits: workchain and account id. */
const wideAddressKey: KeyCodec<WideAddress> = {
  bits: 288,
  encode: ({ workchain, hash }) => concatBytes([int32Key.encode(workchain), hashKey.encode(hash)]),
  decode: (key) => ({ workchain: int32Key.decode(key.subarray(0, 4)), hash: hashKey.decode(key.subarray(4)) }),
}

export const suspendedAddressesType: DictType<WideAddress, true> = { key: wideAddressKey, value: presenceValue }

/**
 * suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32 = SuspendedAddressList;
 * (ConfigParam 44)
 */
export const readSuspendedAddresses = (r: CellReader): SuspendedAddresses => {
  r.expectTag(0x00, 8)
  return { addresses: readDict(r, suspendedAddressesType), suspendedUntil: r.readUint(32) }
}

export const writeSuspendedAddresses = (w: CellWriter, { addresses, suspendedUntil }: SuspendedAddresses): void => {
  w.writeUint(0x00, 8)
  writeDict(w, addresses)
  w.writeUint(suspendedUntil, 32)
}
