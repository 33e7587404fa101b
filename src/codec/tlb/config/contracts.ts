import { concatBytes } from '../../../primitives/bytes.ts'
import type { DictType } from '../../cell/Dict.ts'
import { hashKey, int32Key, type KeyCodec, presenceValue } from '../../cell/dictTypes.ts'
import { bits256, dictOf, maybe, record, tagged, uint32, uint64, type ValueOf } from '../record.ts'

/** Masterchain accounts that pay no fees and may run at every block. */
export const fundamentalContractsType: DictType<Uint8Array, true> = { key: hashKey, value: presenceValue }

/** The gas that a run of such a contract counts as, by the hash of its code: precompiled_smc#b0 gas_usage:uint64 = PrecompiledSmc; */
export const precompiledContractsType: DictType<Uint8Array, bigint> = { key: hashKey, value: tagged(0xb0, 8, uint64) }

/** precompiled_contracts_config#c0 list:(HashmapE 256 PrecompiledSmc) = PrecompiledContractsConfig; (ConfigParam 45) */
export const precompiledContracts = tagged(0xc0, 8, dictOf(precompiledContractsType))

/** An account of any workchain. */
export type WideAddress = { readonly workchain: number; readonly hash: Uint8Array }

/** Keys of 288 bits: workchain and account id. */
const wideAddressKey: KeyCodec<WideAddress> = {
  bits: 288,
  encode: ({ workchain, hash }) => concatBytes([int32Key.encode(workchain), hashKey.encode(hash)]),
  decode: (key) => ({ workchain: int32Key.decode(key.subarray(0, 4)), hash: hashKey.decode(key.subarray(4)) }),
}

export const suspendedAddressesType: DictType<WideAddress, true> = { key: wideAddressKey, value: presenceValue }

/**
 * Accounts that may not be activated before a moment:
 * suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32 = SuspendedAddressList;
 * (ConfigParam 44)
 */
export const suspendedAddresses = tagged(
  0x00,
  8,
  record({ addresses: dictOf(suspendedAddressesType), suspendedUntil: uint32 }),
)

/** burning_config#01 blackhole_addr:(Maybe bits256) fee_burn_num:# fee_burn_denom:# = BurningConfig; (ConfigParam 5) */
export const burningConfig = tagged(
  0x01,
  8,
  record({
    /** Coins sent to this masterchain account are burned. */
    blackholeAddress: maybe(bits256),
    /** The share of all fees that is burned, as a fraction. */
    feeBurnNumerator: uint32,
    feeBurnDenominator: uint32,
  }),
)

export type BurningConfig = ValueOf<typeof burningConfig>
