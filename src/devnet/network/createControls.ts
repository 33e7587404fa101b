import type { VirtualMachine } from '../../chain/ports.ts'
import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { openAccountBlocks, openBlock, openBlockExtra } from '../../codec/tlb/Block.ts'
import { bodyCell, readMessage } from '../../codec/tlb/Message.ts'
import { readTransaction } from '../../codec/tlb/Transaction.ts'
import { addressesEqual } from '../../primitives/Address.ts'
import type { InjectedMessage } from '../collate/StepRequest.ts'
import { newestMaster } from '../liteserver/blockAccess.ts'
import type { ChainStore, MasterStep } from '../store/ChainStore.ts'
import type { ExternalAdmission } from './admitExternal.ts'
import type { Clock } from './Clock.ts'
import type { ConfigEditor } from './ConfigEditor.ts'
import { ControlInputError, StepFailedError } from './errors.ts'
import type { Faucet } from './Faucet.ts'
import type { ForkImports } from './ForkImports.ts'
import type { Interventions, SerialQueue, Snapshots } from './Interventions.ts'
import type { Mempool } from './Mempool.ts'
import type { Miner } from './Miner.ts'
import {
  CONTROL_LIMITS,
  expectAccount,
  expectAmount,
  expectMining,
  expectWhole,
  LAST_UTIME,
  type NetworkControls,
  type NetworkStatus,
} from './NetworkControls.ts'
import type { PendingCommit } from './PendingCommit.ts'
import type { Producer } from './Producer.ts'
import { rerunTransaction } from './rerunTransaction.ts'

/** The hash of the message as which an injected one arrived in a step; `undefined` where it has not arrived yet. */
const findInjected = ({ master, shardBlocks }: MasterStep, injected: InjectedMessage): Uint8Array | undefined => {
  for (const { info, root } of [...shardBlocks, master]) {
    if (info.workchain !== injected.destination.workchain) continue
    const accountBlock = openAccountBlocks(openBlockExtra(openBlock(root).extra)).find(injected.destination.hash)
    for (const [, cell] of accountBlock?.transactions.entries() ?? []) {
      const { inMsg } = readTransaction(openCell(cell))
      if (inMsg !== undefined && isSame(inMsg, injected)) return inMsg.hash()
    }
  }
  return undefined
}

const isSame = (cell: Cell, { source, value, body }: InjectedMessage): boolean => {
  const { info, body: found } = readMessage(openCell(cell))
  return (
    info.kind === 'internal' &&
    info.source.kind === 'std' &&
    addressesEqual(info.source, source) &&
    info.value.grams === value.grams &&
    bodyCell(found).equals(body)
  )
}

/** Components of a running network. */
export type NetworkParts = {
  readonly store: ChainStore
  readonly vm: VirtualMachine
  readonly clock: Clock
  readonly pool: Mempool
  readonly admission: ExternalAdmission
  readonly producer: Producer
  readonly pendingCommit: PendingCommit
  readonly interventions: Interventions
  readonly miner: Miner
  readonly faucet: Faucet
  readonly snapshots: Snapshots
  readonly queue: SerialQueue
  readonly configEditor: ConfigEditor
  /** Set on a fork. */
  readonly fork: ForkImports | undefined
}

const HASH_BYTES = 32

/**
 * Everything that a developer may do to the network, checked before anything happens. `onClockMoved` sees to it that the clock
 * stands the same after a restart.
 */
export const createControls = (parts: NetworkParts, onClockMoved: () => Promise<void>): NetworkControls => {
  const { store, vm, clock, pool, admission, producer, interventions, miner, faucet, snapshots, queue, configEditor } =
    parts
  const { fork, pendingCommit } = parts
  const expectOpen = (): void => queue.expectOpen()
  const getStatus = (): NetworkStatus => ({
    head: newestMaster(store),
    utime: clock.now(),
    mining: miner.mining,
    clockOffset: clock.offset,
    shards: store.shardTops,
    pendingShards: pendingCommit.ids,
    waitingMessages: pool.size,
  })
  return {
    getStatus,
    async faucet(address, amount) {
      expectOpen()
      expectAccount('The receiver of money', address)
      expectAmount('The amount', amount, 1n)
      return faucet.give(address, amount)
    },
    async mine(blocks) {
      expectWhole('The number of blocks', blocks, 1, CONTROL_LIMITS.minedBlocks)
      for (let made = 0; made < blocks; made++) {
        await queue.run(() => producer.makeBlock())
      }
      return newestMaster(store)
    },
    async setMining(mining) {
      expectOpen()
      expectMining(mining)
      miner.setMining(mining)
      if ((mining.commitDelayMs ?? 0) === 0) pendingCommit.release()
    },
    async commit() {
      expectOpen()
      pendingCommit.commit()
      // The step that waited is in the queue.
      return queue.run(() => newestMaster(store))
    },
    async replacePending(messages) {
      expectOpen()
      return pendingCommit.replace(messages)
    },
    async moveClock(seconds) {
      expectOpen()
      expectWhole('The number of seconds', seconds, 1, CONTROL_LIMITS.clockSeconds)
      if (clock.now() + seconds > LAST_UTIME) {
        throw new ControlInputError(`Blocks cannot carry a time after ${LAST_UTIME}.`)
      }
      clock.move(seconds)
      await onClockMoved()
      return getStatus()
    },
    snapshot: () => queue.run(() => snapshots.take()),
    revert: (id) =>
      queue.run(async () => {
        const head = snapshots.revert(id)
        admission.fate = undefined
        await onClockMoved()
        miner.notice()
        return head
      }),
    async setAccount(change) {
      expectOpen()
      expectAccount('The account', change.address)
      if (change.balance !== undefined) expectAmount('The balance', change.balance.grams, 0n)
      await fork?.ensure(change.address)
      await interventions.make({ injected: [], overrides: [change] })
    },
    async impersonate(message) {
      expectOpen()
      expectAccount('The sender', message.source)
      expectAccount('The receiver', message.destination)
      expectAmount('The value', message.value.grams, 0n)
      await fork?.ensure(message.destination)
      const { step } = await interventions.make({ injected: [message], overrides: [] })
      const messageHash = findInjected(step, message)
      if (messageHash === undefined) throw new StepFailedError('The message did not arrive.')
      return { messageHash }
    },
    async disturb(disturbance) {
      expectOpen()
      if (disturbance.kind !== 'lose') {
        expectWhole('The number of blocks', disturbance.blocks, 1, CONTROL_LIMITS.disturbedBlocks)
      }
      if (disturbance.kind === 'holdInternal') producer.holdInternal(disturbance.blocks)
      else admission.fate = disturbance
    },
    async reshard(target) {
      expectOpen()
      configEditor.reshard(target)
      miner.notice()
    },
    async send(message) {
      expectOpen()
      return admission.take(encodeBoc([message]))
    },
    async getTransactionLog(hash) {
      if (hash.length !== HASH_BYTES) {
        throw new ControlInputError(`Expected a transaction hash of ${HASH_BYTES} bytes, but got ${hash.length}.`)
      }
      return rerunTransaction(store, vm, hash)
    },
  }
}
