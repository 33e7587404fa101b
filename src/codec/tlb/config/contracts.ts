import { concatBytes } from '../../../primitives/bytes.ts'
import type { CellReader } from '../../cell/CellReader.ts'
import type { CellWriter } from '../../cell/CellWriter.ts'
import { type Dict, type DictType, readDict, writeDict } from '../../cell/Dict.ts'
import { hashKey, int32Key, type KeyCodec, presenceValue } from '../../cell/dictTypes.ts'

/**
 * The id of a masterchain account:
 * _ config_addr:bits256 = ConfigParam 0; _ elector_addr:bits256 = ConfigParam 1; _ minter_addr:bits256 = ConfigParam 2;
 * _ fee_collector_addr:bits256 = ConfigParam 3; _ dns_root_addr:bits256 = ConfigParam 4;
 */
export const readConfigAddress = (r: CellReader): Uint8Array => r.readBytes(32)

export const writeConfigAddress = (w: CellWriter, address: Uint8Array): void => {
  w.writeBytes(address)
}

/** Masterchain accounts that pay no fees and may run at every block. */
export type FundamentalContracts = Dict<Uint8Array, true>

export const fundamentalContractsType: DictType<Uint8Array, true> = { key: hashKey, value: presenceValue }

/** _ fundamental_smc_addr:(HashmapE 256 True) = ConfigParam 31; */
export const readFundamentalContracts = (r: CellReader): FundamentalContracts => readDict(r, fundamentalContractsType)

export const writeFundamentalContracts = (w: CellWriter, contracts: FundamentalContracts): void => {
  writeDict(w, contracts)
}

/** The gas that a run of such a contract counts as, by the hash of its code. */
export type PrecompiledContracts = Dict<Uint8Array, bigint>

/** precompiled_smc#b0 gas_usage:uint64 = PrecompiledSmc; */
export const precompiledContractsType: DictType<Uint8Array, bigint> = {
  key: hashKey,
  value: {
    read: (r) => {
      r.expectTag(0xb0, 8)
      return r.readUint64()
    },
    write: (w, gasUsage) => void w.writeUint(0xb0, 8).writeUint64(gasUsage),
  },
}

/** precompiled_contracts_config#c0 list:(HashmapE 256 PrecompiledSmc) = PrecompiledContractsConfig; (ConfigParam 45) */
export const readPrecompiledContracts = (r: CellReader): PrecompiledContracts => {
  r.expectTag(0xc0, 8)
  return readDict(r, precompiledContractsType)
}

export const writePrecompiledContracts = (w: CellWriter, contracts: PrecompiledContracts): void => {
  w.writeUint(0xc0, 8)
  writeDict(w, contracts)
}

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

export type BurningConfig = {
  /** Coins sent to this masterchain account are burned. */
  readonly blackholeAddress: Uint8Array | undefined
  /** The share of all fees that is burned, as a fraction. */
  readonly feeBurnNumerator: number
  readonly feeBurnDenominator: number
}

/** burning_config#01 blackhole_addr:(Maybe bits256) fee_burn_num:# fee_burn_denom:# = BurningConfig; (ConfigParam 5) */
export const readBurningConfig = (r: CellReader): BurningConfig => {
  r.expectTag(0x01, 8)
  return {
    blackholeAddress: r.readBit() ? r.readBytes(32) : undefined,
    feeBurnNumerator: r.readUint(32),
    feeBurnDenominator: r.readUint(32),
  }
}

export const writeBurningConfig = (w: CellWriter, config: BurningConfig): void => {
  w.writeUint(0x01, 8).writeBit(config.blackholeAddress !== undefined)
  if (config.blackholeAddress !== undefined) w.writeBytes(config.blackholeAddress)
  w.writeUint(config.feeBurnNumerator, 32).writeUint(config.feeBurnDenominator, 32)
}
