import type { Cell } from '../../codec/cell/Cell.ts'
import { openCell } from '../../codec/cell/CellReader.ts'
import { openAccount } from '../../codec/tlb/Account.ts'
import { encodeConfigParam, findConfigParam } from '../../codec/tlb/config/configParams.ts'
import { shardPrefixLength } from '../../primitives/shard.ts'
import type { Signer } from '../contracts/messages.ts'
import { configAddress, configChange } from '../contracts/systemContracts.ts'
import type { ChainStore } from '../store/ChainStore.ts'
import type { Clock } from './Clock.ts'
import { ControlInputError, StepFailedError } from './errors.ts'
import { findHeadAccount, viewFromHead } from './headContext.ts'
import type { Mempool } from './Mempool.ts'
import type { ReshardTarget } from './NetworkControls.ts'

export type ConfigEditorOptions = {
  readonly store: ChainStore
  readonly pool: Mempool
  readonly clock: Clock
  readonly key: Signer
}

const LIFETIME = 600
const BASECHAIN = 0
const WORKCHAINS = 12
const MAX_DEPTH = 4

/** Changes parameters of the network as its owner would: by signed messages to the configuration contract. */
export class ConfigEditor {
  private readonly options: ConfigEditorOptions

  constructor(options: ConfigEditorOptions) {
    this.options = options
  }

  /** The next block with room for the message is a key block. */
  submit(paramId: number, value: Cell): void {
    const { store, pool, clock, key } = this.options
    const account = findHeadAccount(store, configAddress)?.account
    const opened = account && openAccount(account.account)
    const data = opened?.kind === 'account' && opened.state.kind === 'active' ? opened.state.init.data : undefined
    if (data === undefined) throw new StepFailedError('The network has no configuration contract.')
    // Messages before this one raise it by one each.
    const seqno = openCell(data).readUint(32) + pool.countFor(configAddress)
    pool.addOwn(configAddress, configChange(key, seqno, clock.now() + LIFETIME, paramId, value), clock.now())
  }

  /** Makes the basechain have twice or half as many shards, over the next blocks. */
  reshard(target: ReshardTarget): void {
    const { store } = this.options
    const depths = store.shardTops.map(({ shard }) => shardPrefixLength(shard))
    const depth = Math.max(...depths) + (target === 'split' ? 1 : -1)
    if (depth < 0) throw new ControlInputError('Cannot merge: the basechain has one shard.')
    if (depth > MAX_DEPTH) {
      throw new ControlInputError(`Cannot split: the network already has the maximum of ${2 ** MAX_DEPTH} shards.`)
    }
    const workchains = findConfigParam(viewFromHead(store).params, WORKCHAINS)
    const basechain = workchains?.find(BASECHAIN)
    if (workchains === undefined || basechain === undefined) throw new StepFailedError('The network has no basechain.')
    const changed = workchains.set(BASECHAIN, { ...basechain, minSplit: depth, maxSplit: depth })
    this.submit(WORKCHAINS, encodeConfigParam(WORKCHAINS, changed))
  }
}
