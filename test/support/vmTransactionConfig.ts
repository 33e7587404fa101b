import type { Cell } from '../../src/codec/cell/Cell.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { configDictType, encodeConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import { suspendedAddressesType } from '../../src/codec/tlb/config/contracts.ts'
import type { SizeLimits } from '../../src/codec/tlb/config/limits.ts'
import { type WorkchainDescr, workchainsType } from '../../src/codec/tlb/config/workchains.ts'
import { basechain, sampleGas, sampleVmConfig } from './vmSamples.ts'

/** The configurations of generated transactions, and the accounts that they name. */

export const NOW = 1_700_000_000

/** Hashes of accounts by what the configuration says of them. */
export const PLAIN = new Uint8Array(32).fill(0x21)
export const SPECIAL = new Uint8Array(32).fill(0x22)
export const SUSPENDED = new Uint8Array(32).fill(0x23)

const smallLimits: SizeLimits = {
  maxMsgBits: 6000,
  maxMsgCells: 12,
  maxLibraryCells: 3,
  maxVmDataDepth: 20,
  maxExtMsgSize: 65_535,
  maxExtMsgDepth: 512,
  extension: undefined,
}

const smallExtension: NonNullable<SizeLimits['extension']> = {
  maxAccountStateCells: 18,
  maxMcAccountStateCells: 14,
  maxAccountPublicLibraries: 1,
  deferOutQueueSizeLimit: 256,
  maxMsgExtraCurrencies: 1,
  maxAccountFixedPrefixLength: 8,
  accountStateCellsForStorageDict: 6,
  maxTransactionLibraryLoads: undefined,
  totalMsg: undefined,
}

const usualLimits: SizeLimits = {
  maxMsgBits: 1 << 21,
  maxMsgCells: 1 << 13,
  maxLibraryCells: 1000,
  maxVmDataDepth: 512,
  maxExtMsgSize: 65_535,
  maxExtMsgDepth: 512,
  extension: undefined,
}

/** Forms of the size limits: none, each form with small limits, the usual ones. */
export const LIMITS: readonly (SizeLimits | undefined)[] = [
  undefined,
  smallLimits,
  { ...smallLimits, extension: smallExtension },
  {
    ...usualLimits,
    extension: {
      ...smallExtension,
      maxAccountStateCells: 1 << 16,
      maxMsgExtraCurrencies: 2,
      accountStateCellsForStorageDict: 26,
    },
  },
  // Limits for all messages of a transaction together, the rest as without the parameter.
  {
    ...usualLimits,
    extension: {
      maxAccountStateCells: 1 << 16,
      maxMcAccountStateCells: 1 << 11,
      maxAccountPublicLibraries: 256,
      deferOutQueueSizeLimit: 256,
      maxMsgExtraCurrencies: 2,
      maxAccountFixedPrefixLength: 8,
      accountStateCellsForStorageDict: 26,
      maxTransactionLibraryLoads: undefined,
      totalMsg: { maxBits: 4000, maxCells: 8 },
    },
  },
]

/** A workchain with addresses so long that a message may not fit into its cell. */
export const LONG_ADDRESSES = 3
export const MAX_ADDRESS_BITS = 511
const longWorkchain: WorkchainDescr = {
  ...basechain,
  format: {
    kind: 'extended',
    minAddressLength: 64,
    maxAddressLength: MAX_ADDRESS_BITS,
    addressLengthStep: 1,
    workchainTypeId: 1,
  },
}

const workchains = Dict.of(workchainsType, [
  [0, basechain],
  [LONG_ADDRESSES, longWorkchain],
])

export const transactionConfig = (version: number, limits: SizeLimits | undefined): Cell => {
  const config = sampleVmConfig({
    version,
    special: [SPECIAL],
    more: [
      ...(limits === undefined ? [] : [[43, encodeConfigParam(43, limits)] as const]),
      [
        44,
        encodeConfigParam(44, {
          addresses: Dict.of(suspendedAddressesType, [[{ workchain: 0, hash: SUSPENDED }, true]]),
          suspendedUntil: NOW + 1000,
        }),
      ],
    ],
  })
  // Loops end soon.
  const gas = { ...sampleGas, gasLimit: 20_000n, specialGasLimit: 30_000n, gasCredit: 5000n }
  return new Dict(configDictType, config)
    .set(12, encodeConfigParam(12, workchains))
    .set(20, encodeConfigParam(20, gas))
    .set(21, encodeConfigParam(21, gas)).root as Cell
}
