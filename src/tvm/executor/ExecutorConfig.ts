import type { Cell } from '../../codec/cell/Cell.ts'
import { Dict } from '../../codec/cell/Dict.ts'
import { walkDict } from '../../codec/cell/dictNodes.ts'
import {
  type ConfigDict,
  type ConfigParamId,
  type ConfigParamValue,
  configDictType,
  findConfigParam,
} from '../../codec/tlb/config/configParams.ts'
import type { ForwardPrices, GasPrices, StoragePrices } from '../../codec/tlb/config/prices.ts'
import { masterchain } from '../../primitives/BlockId.ts'
import { bytesEqual } from '../../primitives/bytes.ts'
import { VmInputError } from '../errors.ts'
import { Slice, type Value } from '../machine/values.ts'

/** Limits of configuration parameter 43, with their defaults. */
export type Limits = {
  readonly maxMsgBits: number
  readonly maxMsgCells: number
  readonly maxLibraryCells: number
  readonly maxVmDataDepth: number
  readonly maxExtMsgDepth: number
  readonly maxAccountStateCells: number
  readonly maxMcAccountStateCells: number
  readonly maxAccountPublicLibraries: number
  readonly maxMsgExtraCurrencies: number
  readonly maxAccountFixedPrefixLength: number
  readonly accountStateCellsForStorageDict: number
  readonly maxTransactionLibraryLoads: number | undefined
  readonly maxTotalMsgBits: number
  readonly maxTotalMsgCells: number
}

const DEFAULT_LIMITS: Limits = {
  maxMsgBits: 1 << 21,
  maxMsgCells: 1 << 13,
  maxLibraryCells: 1000,
  maxVmDataDepth: 512,
  maxExtMsgDepth: 512,
  maxAccountStateCells: 1 << 16,
  maxMcAccountStateCells: 1 << 11,
  maxAccountPublicLibraries: 256,
  maxMsgExtraCurrencies: 2,
  maxAccountFixedPrefixLength: 8,
  accountStateCellsForStorageDict: 26,
  maxTransactionLibraryLoads: undefined,
  maxTotalMsgBits: 5 * (1 << 20),
  maxTotalMsgCells: 20 * (1 << 10),
}

const NO_GAS_PRICES: GasPrices = {
  flat: undefined,
  gasPrice: 0n,
  gasLimit: 0n,
  specialGasLimit: 0n,
  gasCredit: 0n,
  blockGasLimit: 0n,
  freezeDueLimit: 0n,
  deleteDueLimit: 0n,
}

/** Which parameters a contract finds unpacked in its context, after the storage prices. */
const UNPACKED_PARAMS = [19, 20, 21, 24, 25, 43] as const

const CAN_BOUNCE_BODY = 4n

/** What the executor needs of a configuration, each parameter read when it is first asked for. */
export class ExecutorConfig {
  readonly root: Cell
  readonly version: number
  /** Whether bounced messages carry the start of the body. */
  readonly bouncesBody: boolean
  private readonly dict: ConfigDict
  private readonly read = new Map<number, unknown>()
  private unpackedUntil: { readonly from: number; readonly until: number; readonly tuple: readonly Value[] } | undefined

  constructor(root: Cell, version?: number) {
    this.root = root
    this.dict = new Dict(configDictType, root)
    const global = this.param(8)
    this.version = version ?? global?.version ?? 0
    this.bouncesBody = ((global?.capabilities ?? 0n) & CAN_BOUNCE_BODY) !== 0n
  }

  private param<Id extends ConfigParamId>(id: Id): ConfigParamValue<Id> | undefined {
    if (!this.read.has(id)) this.read.set(id, findConfigParam(this.dict, id))
    return this.read.get(id) as ConfigParamValue<Id> | undefined
  }

  private once<T>(id: number, make: () => T): T {
    // Made values stand beside parameters, under numbers that no parameter has.
    if (!this.read.has(id)) this.read.set(id, make())
    return this.read.get(id) as T
  }

  /** Refuses a configuration that lacks or garbles what every transaction needs. */
  checkForTransactions(): void {
    if (this.once(-1, () => [20, 21, 24, 25].every((id) => this.param(id as 20) !== undefined))) {
      this.param(31)
      return
    }
    throw new VmInputError('The configuration lacks prices of gas or of messages (parameters 20, 21, 24, 25).')
  }

  gasPrices(workchain: number): GasPrices {
    return this.param(workchain === masterchain ? 20 : 21) ?? NO_GAS_PRICES
  }

  forwardPrices(isMasterchain: boolean): ForwardPrices {
    const prices = this.param(isMasterchain ? 24 : 25)
    if (prices === undefined)
      throw new VmInputError('The configuration has no prices for messages (parameters 24, 25).')
    return prices
  }

  get storagePrices(): readonly StoragePrices[] {
    return this.once(
      -18,
      () =>
        this.param(18)
          ?.entries()
          .map(([, prices]) => prices) ?? [],
    )
  }

  get limits(): Limits {
    return this.once(-43, (): Limits => {
      const given = this.param(43)
      if (given === undefined) return DEFAULT_LIMITS
      const { extension, ...base } = given
      const { totalMsg, ...more } = extension ?? { totalMsg: undefined }
      const total = totalMsg && { maxTotalMsgBits: totalMsg.maxBits, maxTotalMsgCells: totalMsg.maxCells }
      return { ...DEFAULT_LIMITS, ...base, ...more, ...total }
    })
  }

  isSpecial(workchain: number, hash: Uint8Array): boolean {
    if (workchain !== masterchain) return false
    const config = this.param(0)
    if (config !== undefined && bytesEqual(config, hash)) return true
    return this.param(31)?.find(hash) === true
  }

  isBlackhole(workchain: number, hash: Uint8Array): boolean {
    const address = workchain === masterchain ? this.param(5)?.blackholeAddress : undefined
    return address !== undefined && bytesEqual(address, hash)
  }

  isSuspended(workchain: number, hash: Uint8Array, now: number): boolean {
    const suspended = this.param(44)
    return (
      suspended !== undefined &&
      suspended.suspendedUntil > now &&
      suspended.addresses.find({ workchain, hash }) === true
    )
  }

  precompiledGas(codeHash: Uint8Array): bigint | undefined {
    return this.version >= 6 ? this.param(45)?.find(codeHash) : undefined
  }

  /** Whether messages to addresses of this length may be sent to a workchain other than the masterchain. */
  acceptsMessages(workchain: number, addressBits: number): boolean {
    const descr = this.param(12)?.find(workchain)
    if (descr === undefined || !descr.acceptsMessages) return false
    const { format } = descr
    if (format.kind === 'basic') return addressBits === 256
    const { minAddressLength, maxAddressLength, addressLengthStep } = format
    return (
      addressBits >= minAddressLength &&
      addressBits <= maxAddressLength &&
      (addressBits === minAddressLength ||
        addressBits === maxAddressLength ||
        (addressLengthStep > 0 && (addressBits - minAddressLength) % addressLengthStep === 0))
    )
  }

  /** Prices and limits as slices, for the context of a run (c7[14]). */
  unpacked(now: number): readonly Value[] {
    const known = this.unpackedUntil
    if (known !== undefined && known.from <= now && now < known.until) return known.tuple
    const prices = this.dict.find(18)
    let current: Slice | null = null
    let from = 0
    let until = Number.POSITIVE_INFINITY
    if (prices !== undefined) {
      walkDict(prices, 32, (_key, leaf) => {
        const since = leaf.clone()
        since.skipBits(8)
        const time = since.readUint(32)
        if (time > now) {
          until = time
          return false
        }
        from = time
        const { arena, index, bitStart, bitEnd, refStart, refEnd } = leaf.rest()
        current = new Slice(arena, index, bitStart, bitEnd, refStart, refEnd)
        return true
      })
    }
    const params = UNPACKED_PARAMS.map((id): Value => {
      const cell = this.dict.find(id)
      return cell === undefined ? null : Slice.of(cell)
    })
    const tuple = [current, ...params]
    this.unpackedUntil = { from, until, tuple }
    return tuple
  }
}
