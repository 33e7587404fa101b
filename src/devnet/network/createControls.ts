import type { VirtualMachine } from '../../chain/ports.ts'
import { encodeBoc } from '../../codec/cell/encodeBoc.ts'
import { newestMaster } from '../face/referenceBlock.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { CONTROL_LIMITS, expectAccount, expectAmount, expectMining, expectWhole, LAST_UTIME } from './bounds.ts'
import type { Clock } from './Clock.ts'
import type { ConfigEditor } from './ConfigEditor.ts'
import type { ExternalGate } from './ExternalGate.ts'
import { ControlInputError, StepFailedError } from './errors.ts'
import type { Faucet } from './Faucet.ts'
import { findInjected } from './findInjected.ts'
import type { Interventions } from './Interventions.ts'
import type { Mempool } from './Mempool.ts'
import type { Miner } from './Miner.ts'
import type { NetworkControls, NetworkStatus } from './NetworkControls.ts'
import type { Producer } from './Producer.ts'
import { repeatTransaction } from './repeatTransaction.ts'
import type { Snapshots } from './Snapshots.ts'
import type { Turns } from './Turns.ts'

/** The parts of a running network. */
export type NetworkParts = {
  readonly store: ChainStore
  readonly vm: VirtualMachine
  readonly clock: Clock
  readonly pool: Mempool
  readonly gate: ExternalGate
  readonly producer: Producer
  readonly interventions: Interventions
  readonly miner: Miner
  readonly faucet: Faucet
  readonly snapshots: Snapshots
  readonly turns: Turns
  readonly configEditor: ConfigEditor
}

const HASH_BYTES = 32

/**
 * Everything that a developer may do to the network, checked before anything happens. `onClockMoved` sees to it that the clock
 * stands the same after a restart.
 */
export const createControls = (parts: NetworkParts, onClockMoved: () => Promise<void>): NetworkControls => {
  const { store, vm, clock, pool, gate, producer, interventions, miner, faucet, snapshots, turns, configEditor } = parts
  const expectOpen = (): void => turns.expectOpen()
  const getStatus = (): NetworkStatus => ({
    head: newestMaster(store),
    utime: clock.now(),
    mining: miner.mining,
    clockOffset: clock.offset,
    shards: store.shardTops,
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
        await turns.run(() => producer.makeBlock())
      }
      return newestMaster(store)
    },
    async setMining(mining) {
      expectOpen()
      expectMining(mining)
      miner.setMining(mining)
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
    snapshot: () => turns.run(() => snapshots.take()),
    revert: (id) =>
      turns.run(async () => {
        const head = snapshots.revert(id)
        gate.fate = undefined
        await onClockMoved()
        miner.notice()
        return head
      }),
    async setAccount(change) {
      expectOpen()
      expectAccount('The account', change.address)
      if (change.balance !== undefined) expectAmount('The balance', change.balance.grams, 0n)
      await interventions.make({ injected: [], overrides: [change] })
    },
    async impersonate(message) {
      expectOpen()
      expectAccount('The sender', message.source)
      expectAccount('The receiver', message.destination)
      expectAmount('The value', message.value.grams, 0n)
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
      else gate.fate = disturbance
    },
    async reshard(wish) {
      expectOpen()
      configEditor.reshard(wish)
      miner.notice()
    },
    async send(message) {
      expectOpen()
      return gate.take(encodeBoc([message]))
    },
    async getTransactionLog(hash) {
      if (hash.length !== HASH_BYTES) {
        throw new ControlInputError(`The hash of a transaction has ${HASH_BYTES} bytes, ${hash.length} came.`)
      }
      return repeatTransaction(store, vm, hash)
    },
  }
}
