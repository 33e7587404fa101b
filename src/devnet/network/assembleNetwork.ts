import type { VirtualMachine } from '../../chain/ports.ts'
import type { Logger } from '../../observe/Logger.ts'
import { makeStep } from '../collate/makeStep.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import { createClock } from './Clock.ts'
import { ConfigEditor } from './ConfigEditor.ts'
import type { NetworkParts } from './createControls.ts'
import { ExternalGate } from './ExternalGate.ts'
import { Faucet } from './Faucet.ts'
import { Interventions } from './Interventions.ts'
import { Mempool } from './Mempool.ts'
import { Miner } from './Miner.ts'
import type { Mining } from './NetworkControls.ts'
import type { NetworkFacts } from './networkFile.ts'
import type { NetworkKeys } from './networkKeys.ts'
import { Producer } from './Producer.ts'
import { Snapshots } from './Snapshots.ts'
import { Turns } from './Turns.ts'

export type AssemblyOptions = {
  readonly facts: NetworkFacts
  readonly keys: NetworkKeys
  readonly store: ChainStore
  readonly vm: VirtualMachine
  readonly logger: Logger
  readonly mining: Mining
}

/** Time between the blocks of a virtual clock where they are not made by the clock. */
const BLOCK_MS = 1000

/** The parts of a network over its store, put together and not yet running. */
export const assembleNetwork = ({ facts, keys, store, vm, logger, mining }: AssemblyOptions): NetworkParts => {
  const clock = createClock({
    notBefore: store.head?.genUtime ?? facts.startTime,
    offset: facts.clockOffset,
    startTime: facts.clock === 'virtual' ? facts.startTime + 1 : undefined,
    blockMs: () => (miner.mining.mode === 'interval' ? miner.mining.intervalMs : BLOCK_MS),
  })
  const { now } = clock
  const { validator: key, seedSecret } = keys
  const turns = new Turns()
  const pool = new Mempool()
  const producer = new Producer({ store, vm, makeStep, key, seedSecret, clock, pool, logger })
  const miner = new Miner({
    mining,
    logger,
    hasWork: () => producer.hasWork,
    makeBlock: async () => {
      await turns.run(() => producer.makeBlock())
    },
  })
  const onTaken = (): void => miner.notice()
  return {
    store,
    vm,
    clock,
    pool,
    turns,
    producer,
    miner,
    gate: new ExternalGate({ store, vm, pool, now, onTaken }),
    faucet: new Faucet({ store, pool, key: keys.faucet, now, onTaken }),
    interventions: new Interventions(producer, turns),
    snapshots: new Snapshots(store, producer),
    configEditor: new ConfigEditor({ store, pool, clock, key: keys.config }),
  }
}
