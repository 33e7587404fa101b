import type { Cell } from '../../src/codec/cell/Cell.ts'
import { openCell } from '../../src/codec/cell/CellReader.ts'
import { NO_EXTRA_CURRENCIES } from '../../src/codec/tlb/CurrencyCollection.ts'
import { readCommonMsgInfo } from '../../src/codec/tlb/Message.ts'
import { makeStep } from '../../src/devnet/collate/makeStep.ts'
import {
  createValidatorKey,
  type ExternalMessage,
  type StepRequest,
  type StepResult,
} from '../../src/devnet/collate/StepRequest.ts'
import { compiledCode } from '../../src/devnet/contracts/contractInit.ts'
import { createSigner, type OutgoingMessage, type Signer } from '../../src/devnet/contracts/messages.ts'
import { faucetAddress, faucetInit, faucetTransfer } from '../../src/devnet/contracts/systemContracts.ts'
import { createGenesis } from '../../src/devnet/genesis/createGenesis.ts'
import type { GenesisAccount } from '../../src/devnet/genesis/GenesisOptions.ts'
import { createMemoryFiles } from '../../src/devnet/store/BlockFiles.ts'
import { ChainStore } from '../../src/devnet/store/ChainStore.ts'
import { createLogger } from '../../src/observe/Logger.ts'
import { toHex } from '../../src/primitives/hex.ts'
import { createVirtualMachine } from '../../src/tvm/createVirtualMachine.ts'

const logger = createLogger({ level: 'silent', format: 'json', colours: false, write: () => undefined })

const OWN_START = 1_790_000_000
export const coins = (grams: bigint) => ({ grams, extra: NO_EXTRA_CURRENCIES })

export type OwnChainOptions = {
  readonly minSplit?: number
  readonly maxSplit?: number
  readonly accounts?: readonly GenesisAccount[]
  readonly faucets?: number
  readonly keep?: number
}

/** A chain made by the producer itself, step by step, without mempool, clock and liteserver. */
export const createOwnChain = async ({
  minSplit = 0,
  maxSplit = minSplit,
  accounts = [],
  faucets = 1,
  keep = 0,
}: OwnChainOptions = {}) => {
  const vm = await createVirtualMachine({ logger })
  const key = createValidatorKey(new Uint8Array(32).fill(7))
  const configKey = createSigner(new Uint8Array(32).fill(8))
  const signers = Array.from({ length: faucets }, (_, k) => createSigner(new Uint8Array(32).fill(100 + k)))
  const { zeroStates } = createGenesis({
    globalId: -217,
    utime: OWN_START,
    validatorKey: key.publicKey,
    configKey: configKey.publicKey,
    minSplit,
    maxSplit,
    configCode: compiledCode('config'),
    electorCode: compiledCode('elector'),
    accounts: [
      ...signers.map(({ publicKey }) => ({
        address: faucetAddress(publicKey),
        balance: coins(1_000_000_000_000_000n),
        init: faucetInit(publicKey),
      })),
      ...accounts,
    ],
  })
  const store = new ChainStore(zeroStates, createMemoryFiles(), { keep })
  let utime = OWN_START
  const counters = new Map<Signer, number>()
  const make = async (order: Partial<StepRequest> = {}): Promise<StepResult> => {
    utime += 1
    const made = await makeStep({
      store,
      vm,
      key,
      utime,
      seedSecret: new Uint8Array(32).fill(9),
      externals: [],
      injected: [],
      overrides: [],
      holdInternal: false,
      ...order,
    } as StepRequest)
    store.append(made.step)
    return made
  }
  // The basechain begins with the first masterchain block, and splits before anything else happens.
  while (store.shardTops.length < 2 ** minSplit) await make()
  return {
    store,
    vm,
    key,
    configKey,
    faucets: signers,
    make,
    now: () => utime,
    moveClock: (seconds: number) => {
      utime += seconds
    },
    /** A message by which a faucet makes transfers. */
    pay: (faucet: Signer, transfers: readonly OutgoingMessage[]): ExternalMessage => {
      const counter = counters.get(faucet) ?? 0
      counters.set(faucet, counter + 1)
      return toExternal(faucetTransfer(faucet, counter, utime + 600, transfers))
    },
    close: () => vm.close(),
  }
}

export const toExternal = (message: Cell): ExternalMessage => {
  const info = readCommonMsgInfo(openCell(message))
  if (info.kind !== 'externalIn' || info.destination.kind !== 'std') throw new Error('not an external message')
  return { destination: info.destination, message, hash: toHex(message.hash()) }
}
