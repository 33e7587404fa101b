import { emptyCell } from '../../codec/cell/CellWriter.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import type { VmStack } from '../../codec/tlb/VmStack.ts'
import { getMethodId } from '../../codec/tlb/VmValue.ts'
import type { Address } from '../../primitives/Address.ts'
import { CodedError } from '../../primitives/errors.ts'
import type { DemoPort } from '../demo/DemoPort.ts'
import type { Network } from './createNetwork.ts'
import { findHeadAccount, viewFromHead } from './headContext.ts'

const GAS_LIMIT = 1_000_000

/** A network as the demonstration sees it. Waiting for blocks ends as the signal says. */
export const createDemoPort = (network: Network, signal: AbortSignal): DemoPort => {
  const { controls, store } = network
  return {
    send: (message) => controls.send(message),
    runMethod: (address, method, stack) => runHeadMethod(network, address, method, stack),
    now: () => controls.getStatus().utime,
    nextBlock: () => store.waitForMaster((store.head?.id.seqno ?? 0) + 1, signal),
  }
}

/** Runs a get-method on an account as the newest blocks have it. */
const runHeadMethod = async (
  { store, vm, controls }: Network,
  address: Address,
  method: string,
  stack: VmStack,
): Promise<VmStack | undefined> => {
  const found = findHeadAccount(store, address)?.account
  const account = found && openAccount(found.account)
  if (account?.kind !== 'account' || account.state.kind !== 'active') return undefined
  const { code = emptyCell, data = emptyCell } = account.state.init
  const { config, previousBlocks, findLibrary } = viewFromHead(store)
  try {
    const run = await vm.runMethod({
      contract: { address, code, data, balance: account.balance },
      methodId: getMethodId(method),
      stack,
      gasLimit: GAS_LIMIT,
      context: {
        config,
        previousBlocks,
        findLibrary,
        now: controls.getStatus().utime,
        randomSeed: new Uint8Array(32),
      },
      log: 'none',
    })
    return run.exitCode === 0 || run.exitCode === 1 ? run.stack : undefined
  } catch (error) {
    if (error instanceof CodedError) return undefined
    throw error
  }
}
