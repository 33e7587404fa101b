import type { TestContext } from 'node:test'
import type { ContractState, MethodCall, RunContext } from '../../src/chain/ports.ts'
import type { Cell } from '../../src/codec/cell/Cell.ts'
import { CellWriter, emptyCell } from '../../src/codec/cell/CellWriter.ts'
import { Dict } from '../../src/codec/cell/Dict.ts'
import { LIBRARY_REFERENCE } from '../../src/codec/cell/exotic.ts'
import { writeWhole } from '../../src/codec/cell/wholeCell.ts'
import { type ExistingAccount, writeAccount } from '../../src/codec/tlb/Account.ts'
import { configDictType, encodeConfigParam } from '../../src/codec/tlb/config/configParams.ts'
import { fundamentalContractsType } from '../../src/codec/tlb/config/contracts.ts'
import { storagePriceListType } from '../../src/codec/tlb/config/prices.ts'
import { workchainsType } from '../../src/codec/tlb/config/workchains.ts'
import type { ShardAccount } from '../../src/codec/tlb/ShardAccounts.ts'
import type { StateInit } from '../../src/codec/tlb/StateInit.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import type { Address } from '../../src/primitives/Address.ts'
import { fromHex } from '../../src/primitives/hex.ts'
import {
  createVirtualMachine,
  type OwnedVirtualMachine,
  type VirtualMachineOptions,
} from '../../src/tvm/createVirtualMachine.ts'
import { address, amount, filled } from './sampleMessages.ts'

export const sampleGas = {
  flat: { limit: 100n, price: 40_000n },
  gasPrice: 26_214_400n,
  gasLimit: 1_000_000n,
  specialGasLimit: 35_000_000n,
  gasCredit: 10_000n,
  blockGasLimit: 10_000_000n,
  freezeDueLimit: 100_000_000n,
  deleteDueLimit: 1_000_000_000n,
}

const forward = {
  lumpPrice: 400_000n,
  bitPrice: 26_214_400n,
  cellPrice: 2_621_440_000n,
  ihrPriceFactor: 98_304,
  firstFraction: 21_845,
  nextFraction: 21_845,
}

export const basechain = {
  enabledSince: 1,
  monitorMinSplit: 0,
  minSplit: 0,
  maxSplit: 4,
  isActive: true,
  acceptsMessages: true,
  flags: 0,
  zerostateRootHash: filled(1),
  zerostateFileHash: filled(2),
  version: 0,
  format: { kind: 'basic', vmVersion: -1, vmMode: 0n },
  extension: undefined,
} as const

export type SampleConfigOptions = {
  readonly version?: number
  /** Masterchain accounts that pay nothing. */
  readonly special?: readonly Uint8Array[]
  readonly more?: readonly (readonly [number, Cell])[]
}

/** The account of the configuration contract in {@link sampleVmConfig}. */
export const configContract = filled(0x55)

/** A configuration with all that runs need, and prices as on the main network. */
export const sampleVmConfig = ({ version = 13, special = [], more = [] }: SampleConfigOptions = {}): Cell =>
  Dict.of(configDictType, [
    [0, encodeConfigParam(0, configContract)],
    [8, encodeConfigParam(8, { version, capabilities: 494n })],
    [12, encodeConfigParam(12, Dict.of(workchainsType, [[0, basechain]]))],
    [
      18,
      encodeConfigParam(
        18,
        Dict.of(storagePriceListType, [
          [
            0,
            {
              utimeSince: 0,
              bitPrice: 1n,
              cellPrice: 500n,
              masterchainBitPrice: 1000n,
              masterchainCellPrice: 500_000n,
            },
          ],
        ]),
      ),
    ],
    [19, encodeConfigParam(19, -777)],
    [20, encodeConfigParam(20, sampleGas)],
    [21, encodeConfigParam(21, sampleGas)],
    [24, encodeConfigParam(24, forward)],
    [25, encodeConfigParam(25, forward)],
    [
      31,
      encodeConfigParam(
        31,
        Dict.of(
          fundamentalContractsType,
          special.map((account) => [account, true] as const),
        ),
      ),
    ],
    ...more,
  ]).root as Cell

/** A cell as large as the sets of validators are, so that a configuration with it is worth slimming. */
export const largeParam = (): Cell => {
  let cell = emptyCell
  for (let k = 0; k < 200; k++) cell = new CellWriter().writeBytes(new Uint8Array(100).fill(k)).writeRef(cell).toCell()
  return cell
}

/** Machine code in hexadecimal digits. */
export const codeOf = (hex: string, ...refs: readonly Cell[]): Cell => {
  const w = new CellWriter().writeBytes(fromHex(hex.replaceAll(' ', '')))
  for (const ref of refs) w.writeRef(ref)
  return w.toCell()
}

export const libraryReference = (hash: Uint8Array): Cell =>
  new CellWriter().writeUint(LIBRARY_REFERENCE, 8).writeBytes(hash).toExoticCell()

export const sampleContext = (more: Partial<RunContext> = {}): RunContext => ({
  config: sampleVmConfig(),
  now: 1_700_000_000,
  randomSeed: filled(7),
  previousBlocks: undefined,
  findLibrary: undefined,
  ...more,
})

/** A call of a contract that is nothing but this code. The number of the method comes on top of the stack: drop it (30). */
export const callCode = (
  hex: string,
  { contract, context, ...more }: Partial<Omit<MethodCall, 'contract'>> & { contract?: Partial<ContractState> } = {},
): MethodCall => ({
  contract: { address: address(0, 2), code: codeOf(hex), data: emptyCell, balance: amount(1000n), ...contract },
  methodId: 0,
  stack: [],
  gasLimit: 300_000,
  context: context ?? sampleContext(),
  log: 'none',
  ...more,
})

/** An account with this code and a good balance. */
export const accountWith = (init: Partial<StateInit>, at: Address = address(0, 2)): ShardAccount => {
  const account: ExistingAccount = {
    kind: 'account',
    address: { kind: 'std', ...at, anycast: undefined },
    storage: { used: { cells: 1n, bits: 1n }, dictHash: undefined, lastPaid: 1_699_999_990, duePayment: undefined },
    lastTransLt: 1_000_001n,
    balance: amount(5_000_000_000n),
    state: {
      kind: 'active',
      init: {
        fixedPrefixLength: undefined,
        special: undefined,
        code: undefined,
        data: emptyCell,
        library: undefined,
        ...init,
      },
    },
  }
  return { account: writeWhole(writeAccount, account), lastTransHash: filled(9), lastTransLt: 1_000_000n }
}

export type TestMachine = { readonly machine: OwnedVirtualMachine; readonly logLines: string[] }

/** A machine with one thread that is closed when the test ends. */
export const createTestMachine = async (
  t: TestContext | { after(fn: () => Promise<void>): void },
  options: Partial<VirtualMachineOptions> = {},
): Promise<TestMachine> => {
  const logLines: string[] = []
  const logger = createLogger({
    level: 'warn',
    format: 'json',
    colours: false,
    write: (line) => void logLines.push(line),
  })
  const machine = await createVirtualMachine({ logger, workers: 1, ...options })
  t.after(() => machine.close())
  return { machine, logLines }
}
