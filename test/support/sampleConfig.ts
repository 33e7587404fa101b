import {
  BitString,
  type Builder,
  beginCell,
  type Cell as CoreCell,
  Dictionary,
  type DictionaryKey,
  type DictionaryKeyTypes,
} from '@ton/core'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { extraCurrenciesType } from '../../src/codec/tlb/CurrencyCollection.ts'
import { oraclesType } from '../../src/codec/tlb/config/bridges.ts'
import type { ConfigParamId, ConfigParamValue } from '../../src/codec/tlb/config/configParams.ts'
import { noncriticalParamsType } from '../../src/codec/tlb/config/consensus.ts'
import {
  fundamentalContractsType,
  precompiledContractsType,
  suspendedAddressesType,
} from '../../src/codec/tlb/config/contracts.ts'
import { paramNumbersType } from '../../src/codec/tlb/config/governance.ts'
import { storagePriceListType } from '../../src/codec/tlb/config/prices.ts'
import { signedTempKeysType } from '../../src/codec/tlb/config/validators.ts'
import { workchainsType } from '../../src/codec/tlb/config/workchains.ts'
import { validatorListType } from '../../src/codec/tlb/ValidatorSet.ts'

/** A value of a parameter, and the cell that it is written to, put together by another library or taken from a network. */
export type SampleParam = {
  [Id in ConfigParamId]: { readonly id: Id; readonly value: ConfigParamValue<Id>; readonly cell: CoreCell }
}[ConfigParamId]

const bytes = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)
const buffer = (fill: number): Buffer => Buffer.alloc(32, fill)

/** A cell without references from hex digits as block explorers print it: a `_` ends bits that fill no whole digit. */
const printed = (hex: string): CoreCell => {
  const bits = [...hex.replace('_', '')]
    .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
    .join('')
  const data = hex.endsWith('_') ? bits.slice(0, bits.lastIndexOf('1')) : bits
  const padded = Buffer.from(
    data
      .padEnd(Math.ceil(data.length / 8) * 8, '0')
      .match(/.{8}/g)
      ?.map((b) => Number.parseInt(b, 2)) ?? [],
  )
  return beginCell()
    .storeBits(new BitString(padded, 0, data.length))
    .endCell()
}

const dictOf = <K extends DictionaryKeyTypes>(
  key: DictionaryKey<K>,
  entries: [K, (b: Builder) => void][],
): Dictionary<K, (b: Builder) => void> => {
  const dict = Dictionary.empty<K, (b: Builder) => void>(key, {
    serialize: (write, b) => write(b),
    parse: () => () => undefined,
  })
  for (const [k, write] of entries) dict.set(k, write)
  return dict
}

const nothing = (): void => undefined

const keysOf = <K extends DictionaryKeyTypes>(key: DictionaryKey<K>, keys: K[]): Dictionary<K, (b: Builder) => void> =>
  dictOf(
    key,
    keys.map((k) => [k, nothing]),
  )

const uints = Dictionary.Keys.Uint(32)
const ints = Dictionary.Keys.Int(32)
const hashes = Dictionary.Keys.Buffer(32)

const addresses: SampleParam[] = ([0, 1, 2, 3, 4] as const).map((id) => ({
  id,
  value: bytes(0x50 + id),
  cell: beginCell()
    .storeBuffer(buffer(0x50 + id))
    .endCell(),
}))

const gas = { gasPrice: 65_536n, gasLimit: 1_000_000n, gasCredit: 10_000n, blockGasLimit: 10_000_000n }
const due = { freezeDueLimit: 100_000_000n, deleteDueLimit: 1_000_000_000n }
const limits = (b: Builder, ...values: number[]): Builder => {
  b.storeUint(0xc3, 8)
  for (const value of values) b.storeUint(value, 32)
  return b
}

const validatorSets: SampleParam[] = ([32, 33, 34, 35, 36, 37] as const).map((id) => {
  const list = dictOf(Dictionary.Keys.Uint(16), [
    [0, (b) => b.storeUint(0x53, 8).storeUint(0x8e81278a, 32).storeBuffer(buffer(id)).storeUint(5, 64)],
  ])
  const cell = beginCell().storeUint(0x12, 8).storeUint(100, 32).storeUint(200, 32).storeUint(1, 16).storeUint(1, 16)
  return {
    id,
    value: {
      utimeSince: 100,
      utimeUntil: 200,
      total: 1,
      main: 1,
      totalWeight: 5n,
      list: Dict.of(validatorListType, [[0, { publicKey: bytes(id), weight: 5n, adnlAddress: undefined }]]),
    },
    cell: cell.storeUint(5, 64).storeDict(list).endCell(),
  }
})

const oracles = Dict.of(oraclesType, [[bytes(3), bytes(4)]])
const coreOracles = dictOf(hashes, [[buffer(3), (b) => b.storeBuffer(buffer(4))]])

const oracleBridges: SampleParam[] = ([71, 72, 73] as const).map((id) => ({
  id,
  value: {
    bridgeAddress: bytes(1),
    oracleMultisigAddress: bytes(2),
    oracles,
    externalChainAddress: bytes(id),
  },
  cell: beginCell()
    .storeBuffer(buffer(1))
    .storeBuffer(buffer(2))
    .storeDict(coreOracles)
    .storeBuffer(buffer(id))
    .endCell(),
}))

const coreBridge = (tag: number): Builder =>
  beginCell().storeUint(tag, 8).storeBuffer(buffer(1)).storeBuffer(buffer(2)).storeDict(coreOracles).storeUint(9, 8)

const jettonBridges: SampleParam[] = ([79, 81] as const).map((id) => ({
  id,
  value: {
    kind: 'v1',
    bridgeAddress: bytes(1),
    oraclesAddress: bytes(2),
    oracles,
    stateFlags: 9,
    prices: {
      bridgeBurnFee: 1_000_000_000n,
      bridgeMintFee: 1_000_000_000n,
      walletMinTonsForStorage: 8_000_000n,
      walletGasConsumption: 15_000_000n,
      minterMinTonsForStorage: 100_000_000n,
      discoverGasConsumption: 10_000_000n,
    },
    externalChainAddress: bytes(id),
  },
  cell: coreBridge(1)
    .storeRef(printed('43B9ACA0043B9ACA0037A12003E4E1C0405F5E1003989680'))
    .storeBuffer(buffer(id))
    .endCell(),
}))

const proposal = { minTotalRounds: 2, maxTotalRounds: 6, minWins: 3, maxLosses: 5 }

/** At least one of each parameter, and one of each form where a parameter has several. */
export const sampleParams: readonly SampleParam[] = [
  ...addresses,
  {
    id: 5,
    value: { blackholeAddress: bytes(0xff), feeBurnNumerator: 1, feeBurnDenominator: 2 },
    cell: beginCell().storeUint(1, 8).storeBit(1).storeBuffer(buffer(0xff)).storeUint(1, 32).storeUint(2, 32).endCell(),
  },
  {
    id: 5,
    value: { blackholeAddress: undefined, feeBurnNumerator: 0, feeBurnDenominator: 0xffff_ffff },
    cell: beginCell().storeUint(1, 8).storeBit(0).storeUint(0, 32).storeUint(0xffff_ffff, 32).endCell(),
  },
  { id: 6, value: { newPrice: 1_000_000_000n, addPrice: 1_000_000_000n }, cell: printed('43B9ACA0043B9ACA00') },
  {
    id: 7,
    value: Dict.of(extraCurrenciesType, [[239, 666n]]),
    cell: beginCell()
      .storeDict(dictOf(uints, [[239, (b) => b.storeVarUint(666n, 5)]]))
      .endCell(),
  },
  {
    id: 8,
    value: { version: 15, capabilities: 494n },
    cell: beginCell().storeUint(0xc4, 8).storeUint(15, 32).storeUint(494, 64).endCell(),
  },
  {
    id: 9,
    value: Dict.of(paramNumbersType, [
      [0, true],
      [34, true],
    ]),
    cell: beginCell()
      .storeDictDirect(keysOf(ints, [0, 34]))
      .endCell(),
  },
  {
    id: 10,
    value: Dict.of(paramNumbersType, [
      [-1001, true],
      [0, true],
    ]),
    cell: beginCell()
      .storeDictDirect(keysOf(ints, [-1001, 0]))
      .endCell(),
  },
  {
    id: 11,
    value: {
      normal: { ...proposal, minStoreSeconds: 1_000_000, maxStoreSeconds: 10_000_000, bitPrice: 1, cellPrice: 500 },
      critical: { ...proposal, minStoreSeconds: 5_000_000, maxStoreSeconds: 20_000_000, bitPrice: 2, cellPrice: 1000 },
    },
    cell: beginCell()
      .storeUint(0x91, 8)
      .storeRef(printed('3602060305000F42400098968000000001000001F4'))
      .storeRef(printed('3602060305004C4B4001312D0000000002000003E8'))
      .endCell(),
  },
  {
    id: 12,
    value: Dict.of(workchainsType, [
      [
        0,
        {
          enabledSince: 7,
          monitorMinSplit: 1,
          minSplit: 2,
          maxSplit: 3,
          isActive: true,
          acceptsMessages: true,
          flags: 0,
          zerostateRootHash: bytes(1),
          zerostateFileHash: bytes(2),
          version: 0,
          format: { kind: 'basic', vmVersion: -1, vmMode: 0n },
          extension: undefined,
        },
      ],
    ]),
    cell: beginCell()
      .storeDict(
        dictOf(ints, [
          [
            0,
            (b) => {
              b.storeUint(0xa6, 8).storeUint(7, 32).storeUint(0x010203, 24).storeUint(0b111, 3).storeUint(0, 13)
              b.storeBuffer(buffer(1)).storeBuffer(buffer(2)).storeUint(0, 32)
              b.storeUint(1, 4).storeInt(-1, 32).storeUint(0, 64)
            },
          ],
        ]),
      )
      .endCell(),
  },
  {
    id: 13,
    value: { deposit: 100_000_000_000n, bitPrice: 1_000n, cellPrice: 16n },
    cell: beginCell().storeUint(0x1a, 8).storeCoins(100_000_000_000n).storeCoins(1_000n).storeCoins(16n).endCell(),
  },
  {
    id: 14,
    value: { masterchainBlockFee: 1_700_000_000n, basechainBlockFee: 0n },
    cell: beginCell().storeUint(0x6b, 8).storeCoins(1_700_000_000n).storeCoins(0n).endCell(),
  },
  {
    id: 15,
    value: { validatorsElectedFor: 65_536, electionsStartBefore: 32_768, electionsEndBefore: 8_192, stakeHeldFor: 1 },
    cell: printed('00010000000080000000200000000001'),
  },
  {
    id: 16,
    value: { maxValidators: 400, maxMainValidators: 100, minValidators: 75 },
    cell: printed('01900064004B'),
  },
  {
    id: 17,
    value: { minStake: 300_000n, maxStake: 10_000_000n, minTotalStake: 0n, maxStakeFactor: 196_608 },
    cell: beginCell().storeCoins(300_000n).storeCoins(10_000_000n).storeCoins(0n).storeUint(196_608, 32).endCell(),
  },
  {
    id: 18,
    value: Dict.of(storagePriceListType, [
      [
        0,
        {
          utimeSince: 0,
          bitPrice: 1n,
          cellPrice: 500n,
          masterchainBitPrice: 1_000n,
          masterchainCellPrice: 2n ** 64n - 1n,
        },
      ],
    ]),
    cell: beginCell()
      .storeDictDirect(
        dictOf(uints, [
          [
            0,
            (b) => {
              b.storeUint(0xcc, 8).storeUint(0, 32).storeUint(1, 64).storeUint(500, 64)
              b.storeUint(1_000, 64).storeUint(2n ** 64n - 1n, 64)
            },
          ],
        ]),
      )
      .endCell(),
  },
  { id: 19, value: -3, cell: printed('FFFFFFFD') },
  {
    id: 20,
    value: { flat: { limit: 100n, price: 40_000n }, ...gas, specialGasLimit: 70_000_000n, ...due },
    cell: beginCell()
      .storeUint(0xd1, 8)
      .storeUint(100, 64)
      .storeUint(40_000, 64)
      .storeUint(0xde, 8)
      .storeUint(65_536, 64)
      .storeUint(1_000_000, 64)
      .storeUint(70_000_000, 64)
      .storeUint(10_000, 64)
      .storeUint(10_000_000, 64)
      .storeUint(100_000_000, 64)
      .storeUint(1_000_000_000, 64)
      .endCell(),
  },
  {
    id: 21,
    value: { flat: undefined, ...gas, specialGasLimit: undefined, ...due },
    cell: beginCell()
      .storeUint(0xdd, 8)
      .storeUint(65_536, 64)
      .storeUint(1_000_000, 64)
      .storeUint(10_000, 64)
      .storeUint(10_000_000, 64)
      .storeUint(100_000_000, 64)
      .storeUint(1_000_000_000, 64)
      .endCell(),
  },
  {
    id: 22,
    value: {
      bytes: { underload: 131_072, soft: 524_288, hard: 1_048_576 },
      gas: { underload: 20_000, soft: 100_000, hard: 150_000 },
      ltDelta: { underload: 1_000, soft: 5_000, hard: 10_000 },
      extension: undefined,
    },
    cell: printed('5DC3000200000008000000100000C300004E20000186A0000249F0C3000003E80000138800002710'),
  },
  {
    id: 23,
    value: {
      bytes: { underload: 1, soft: 2, hard: 3 },
      gas: { underload: 4, soft: 5, hard: 6 },
      ltDelta: { underload: 7, soft: 8, hard: 9 },
      extension: {
        collatedData: { underload: 10, soft: 11, hard: 12 },
        importedMsgQueue: { maxBytes: 13, maxMessages: 14 },
      },
    },
    cell: limits(limits(limits(limits(beginCell().storeUint(0x5e, 8), 1, 2, 3), 4, 5, 6), 7, 8, 9), 10, 11, 12)
      .storeUint(0xd3, 8)
      .storeUint(13, 32)
      .storeUint(14, 32)
      .endCell(),
  },
  ...([24, 25] as const).map(
    (id): SampleParam => ({
      id,
      value: {
        lumpPrice: 400_000n,
        bitPrice: 26_214_400n,
        cellPrice: 2_621_440_000n,
        ihrPriceFactor: 98_304,
        firstFraction: 21_845,
        nextFraction: 21_846,
      },
      cell: printed('EA0000000000061A800000000001900000000000009C4000000001800055555556'),
    }),
  ),
  {
    id: 28,
    value: {
      extension: undefined,
      mcCatchainLifetime: 250,
      shardCatchainLifetime: 251,
      shardValidatorsLifetime: 1000,
      shardValidatorsNum: 7,
    },
    cell: printed('C1000000FA000000FB000003E800000007'),
  },
  {
    id: 28,
    value: {
      extension: { flags: 0, shuffleMcValidators: true },
      mcCatchainLifetime: 250,
      shardCatchainLifetime: 250,
      shardValidatorsLifetime: 1000,
      shardValidatorsNum: 15,
    },
    cell: printed('C201000000FA000000FA000003E80000000F'),
  },
  ...consensusSamples(),
  {
    id: 30,
    value: {
      masterchain: {
        kind: 'v1',
        flags: 3,
        useQuic: true,
        targetRateMs: 2_400,
        slotsPerLeaderWindow: 4,
        firstBlockTimeoutMs: 1_000,
        maxLeaderWindowDesync: 250,
      },
      shards: undefined,
    },
    cell: beginCell()
      .storeUint(0x10, 8)
      .storeMaybeRef(printed('21070000096000000004000003E8000000FA'))
      .storeMaybeRef(null)
      .endCell(),
  },
  {
    id: 30,
    value: {
      masterchain: undefined,
      shards: {
        kind: 'v2',
        flags: 0,
        protocolVersion: 1,
        useQuic: true,
        slotsPerLeaderWindow: 4,
        noncriticalParams: Dict.of(noncriticalParamsType, [
          [0, 400],
          [1, 1_400],
        ]),
      },
    },
    cell: beginCell()
      .storeUint(0x10, 8)
      .storeMaybeRef(null)
      .storeMaybeRef(
        beginCell()
          .storeUint(0x2203, 16)
          .storeUint(4, 32)
          .storeDict(
            dictOf(Dictionary.Keys.Uint(8), [
              [0, (b) => b.storeUint(400, 32)],
              [1, (b) => b.storeUint(1_400, 32)],
            ]),
          )
          .endCell(),
      )
      .endCell(),
  },
  {
    id: 31,
    value: Dict.of(fundamentalContractsType, [
      [bytes(0x33), true],
      [bytes(0x55), true],
    ]),
    cell: beginCell()
      .storeDict(keysOf(hashes, [buffer(0x33), buffer(0x55)]))
      .endCell(),
  },
  ...validatorSets,
  {
    id: 39,
    value: Dict.of(signedTempKeysType, [
      [
        bytes(1),
        {
          key: { adnlAddress: bytes(2), tempPublicKey: bytes(3), seqno: 4, validUntil: 5 },
          signature: { kind: 'simple', signature: new Uint8Array(64).fill(6) },
        },
      ],
    ]),
    cell: beginCell()
      .storeDict(
        dictOf(hashes, [
          [
            buffer(1),
            (b) => {
              const key = beginCell()
                .storeUint(3, 4)
                .storeBuffer(buffer(2))
                .storeUint(0x8e81278a, 32)
                .storeBuffer(buffer(3))
              b.storeUint(4, 4).storeRef(key.storeUint(4, 32).storeUint(5, 32).endCell())
              b.storeUint(5, 4).storeBuffer(Buffer.alloc(64, 6))
            },
          ],
        ]),
      )
      .endCell(),
  },
  {
    id: 40,
    value: {
      defaultFlatFine: 101_000_000_000n,
      defaultProportionalFine: 1,
      severityFlatMultiplier: 2,
      severityProportionalMultiplier: 3,
      unpunishableInterval: 4,
      long: { interval: 5, flatMultiplier: 6, proportionalMultiplier: 7 },
      medium: { interval: 8, flatMultiplier: 9, proportionalMultiplier: 10 },
    },
    cell: beginCell()
      .storeUint(1, 8)
      .storeCoins(101_000_000_000n)
      .storeUint(1, 32)
      .storeBuffer(Buffer.from('00020003000400050006000700080009000a', 'hex'))
      .endCell(),
  },
  ...sizeLimitsSamples(),
  {
    id: 44,
    value: {
      addresses: Dict.of(suspendedAddressesType, [
        [{ workchain: -1, hash: bytes(1) }, true],
        [{ workchain: 0, hash: bytes(2) }, true],
      ]),
      suspendedUntil: 1_803_189_600,
    },
    cell: beginCell()
      .storeUint(0, 8)
      .storeDict(
        keysOf(Dictionary.Keys.Buffer(36), [
          Buffer.concat([Buffer.alloc(4, 0xff), buffer(1)]),
          Buffer.concat([Buffer.alloc(4, 0), buffer(2)]),
        ]),
      )
      .storeUint(1_803_189_600, 32)
      .endCell(),
  },
  {
    id: 45,
    value: Dict.of(precompiledContractsType, [[bytes(0x11), 4_000n]]),
    cell: beginCell()
      .storeUint(0xc0, 8)
      .storeDict(dictOf(hashes, [[buffer(0x11), (b) => b.storeUint(0xb0, 8).storeUint(4_000, 64)]]))
      .endCell(),
  },
  {
    id: 46,
    value: { contractAddress: bytes(0x92), maxCollatorsPerValidator: 5, newCodeHash: undefined },
    cell: printed(`3601163E${'92'.repeat(32)}000000054_`),
  },
  {
    id: 46,
    value: { contractAddress: bytes(0x92), maxCollatorsPerValidator: 5, newCodeHash: bytes(0x10) },
    cell: beginCell()
      .storeUint(0x3601163e, 32)
      .storeBuffer(buffer(0x92))
      .storeUint(5, 32)
      .storeBit(1)
      .storeBuffer(buffer(0x10))
      .endCell(),
  },
  ...oracleBridges,
  ...jettonBridges,
  {
    id: 82,
    value: {
      kind: 'v0',
      bridgeAddress: bytes(1),
      oraclesAddress: bytes(2),
      oracles,
      stateFlags: 9,
      burnBridgeFee: 10_000_000_000n,
    },
    cell: coreBridge(0).storeCoins(10_000_000_000n).endCell(),
  },
]

function consensusSamples(): SampleParam[] {
  const shared = {
    roundCandidates: 3,
    nextCandidateDelayMs: 2_000,
    consensusTimeoutMs: 16_000,
    fastAttempts: 3,
    attemptDuration: 8,
    catchainMaxDeps: 4,
    maxBlockBytes: 2_097_152,
    maxCollatedBytes: 2_097_152,
  }
  const numbers = '000007D000003E800000000300000008000000040020000000200000'
  const extension = {
    flags: 0,
    useQuic: false,
    newCatchainIds: true,
    protoVersion: undefined,
    catchainMaxBlocksCoeff: undefined,
  }
  const v4 = { ...extension, useQuic: true, protoVersion: 5, catchainMaxBlocksCoeff: 10_000 }
  return [
    { id: 29, value: { extension: undefined, ...shared }, cell: printed(`D600000003${numbers}`) },
    { id: 29, value: { extension, ...shared }, cell: printed(`D70103${numbers}`) },
    {
      id: 29,
      value: { extension: { ...extension, protoVersion: 2 }, ...shared },
      cell: printed(`D80103${numbers}0002`),
    },
    { id: 29, value: { extension: v4, ...shared }, cell: printed(`D90303${numbers}000500002710`) },
  ]
}

function sizeLimitsSamples(): SampleParam[] {
  const shared = {
    maxMsgBits: 2_097_152,
    maxMsgCells: 8_192,
    maxLibraryCells: 200,
    maxVmDataDepth: 512,
    maxExtMsgSize: 65_535,
    maxExtMsgDepth: 512,
  }
  const extension = {
    maxAccountStateCells: 65_536,
    maxMcAccountStateCells: 2_048,
    maxAccountPublicLibraries: 256,
    deferOutQueueSizeLimit: 256,
    maxMsgExtraCurrencies: 0,
    maxAccountFixedPrefixLength: 8,
    accountStateCellsForStorageDict: 26,
    maxTransactionLibraryLoads: 3,
    totalMsg: undefined,
  }
  const numbers = '0020000000002000000000C802000000FFFF0200'
  const more = '00010000000008000000010000000100000000000800'
  const third = { ...extension, maxTransactionLibraryLoads: undefined, totalMsg: { maxBits: 1, maxCells: 2 } }
  return [
    { id: 43, value: { ...shared, extension: undefined }, cell: printed(`01${numbers}`) },
    { id: 43, value: { ...shared, extension }, cell: printed(`02${numbers}${more}00001A80000001C_`) },
    { id: 43, value: { ...shared, extension: third }, cell: printed(`03${numbers}${more}00001A00000000800000014_`) },
  ]
}
